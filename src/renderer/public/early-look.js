// A classic script in the head: it runs before the first paint, so that a chosen theme never flashes up in the other one.
try {
  const theme = localStorage.getItem('pulseward-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage the system's theme shows until the settings have arrived.
}
// Style sheets cannot detect the system. With this attribute, they need not try the fonts of other systems.
if (navigator.userAgent.includes('Linux')) document.documentElement.dataset.system = 'linux'
