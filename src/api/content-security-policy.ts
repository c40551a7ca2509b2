/**
 * The page's Content-Security-Policy, the same in a browser and in the desktop window: everything from the page's own origin,
 * nothing inline, no frames, no forms. Styles set by React and the charts go through the CSSOM, which `style-src 'self'` does
 * not restrict.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
