/** Where Setup has what a remedy names, by the words that stand for it in the remedy; the first that fits. */
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

/** Returns the section of Setup where a remedy can be carried out; `null` if it is about something else. */
export function setupSectionOf(remedy: string): string | null {
  if (!remedy.includes('pulseward.toml')) return null
  return SECTIONS.find(([words]) => words.test(remedy))?.[1] ?? null
}
