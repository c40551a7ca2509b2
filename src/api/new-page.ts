/** The URL parameter that says why the desktop reloaded a page. */
export const NEW_PAGE = 'again'

/** `ended`: its process was gone; `hung`: it did not respond, and the operator reloaded it. */
export type NewPageReason = 'ended' | 'hung'
