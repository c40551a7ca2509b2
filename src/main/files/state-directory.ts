import { join } from 'node:path'

/**
 * What is kept of the user's outside of all data folders, and out of the reach of who may write there: seals, and what was compiled.
 * `bin/pulseward` says the same again, for it loads nothing.
 */
export function stateDirectory(environment: NodeJS.ProcessEnv, home: string): string {
  const named = environment.XDG_STATE_HOME
  return join(named?.startsWith('/') === true ? named : join(home, '.local', 'state'), 'pulseward')
}
