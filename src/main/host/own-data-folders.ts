import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { sealsDirectory } from '../ledger/seal.ts'

/** Returns the folders that belong to Pulseward alone, wherever this host keeps them. */
export function ownDataFolders(dataDirectory: string): readonly string[] {
  const home = homedir()
  return [
    dataDirectory,
    dirname(sealsDirectory()),
    ...['.pulseward', '.local/state/pulseward', '.config/pulseward', '.config/Pulseward'].map((path) =>
      join(home, path),
    ),
  ]
}
