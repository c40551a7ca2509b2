/** The sections of Setup, each with the words in a remedy that refer to it; the first match applies. */
const SECTIONS: readonly (readonly [RegExp, string])[] = [
  [/`(?:writable|sandbox|network|checks_network|hide)`|\bsandbox\b/iu, 'Sandbox'],
  [/`(?:allow|deny)`|\bpermission/iu, 'Permissions'],
  [/\[probes\b/u, 'Probes'],
  [/\[gates\b/u, 'Gates'],
  [/\[judge\b/u, 'Judge'],
  [/\[landing\b/u, 'Landing'],
  [/\[workspace\b|\bisolation\b/u, 'Isolation'],
  [/\[agent\b/u, 'Agent'],
]

/** Returns the section of Setup in which a remedy can be applied; `null` if it is about something else. */
export function setupSectionOf(remedy: string): string | null {
  if (!remedy.includes('pulseward.toml')) return null
  return SECTIONS.find(([words]) => words.test(remedy))?.[1] ?? null
}
