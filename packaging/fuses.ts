import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'

/**
 * The required state of each fuse of the built program; for their meaning see
 * https://www.electronjs.org/docs/latest/tutorial/fuses.
 */
const EXPECTED: readonly (readonly [FuseV1Options, boolean])[] = [
  [FuseV1Options.RunAsNode, false],
  [FuseV1Options.EnableCookieEncryption, true],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, false],
  [FuseV1Options.EnableNodeCliInspectArguments, false],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, true],
  [FuseV1Options.OnlyLoadAppFromAsar, true],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, false],
]

/** Reads the fuses back from a built Electron program. Throws, naming those in the wrong state. */
export async function assertFuses(program: string): Promise<readonly string[]> {
  const wire = await getCurrentFuseWire(program)
  const lines = EXPECTED.map(([fuse, isOn]) => ({
    name: FuseV1Options[fuse],
    isOn,
    isRight: wire[fuse] === (isOn ? FuseState.ENABLE : FuseState.DISABLE),
  }))
  const wrong = lines.filter(({ isRight }) => !isRight).map(({ name }) => name)
  if (wrong.length > 0) throw new Error(`Fuses of ${program} are in the wrong state: ${wrong.join(', ')}.`)
  return lines.map(({ name, isOn }) => `${name} ${isOn ? 'on' : 'off'}`)
}
