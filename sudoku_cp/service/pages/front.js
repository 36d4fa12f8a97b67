// The example names the address that this page came from.
document.getElementById("address").textContent = location.origin;
