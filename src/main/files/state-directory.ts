import { join } from 'node:path'

/**
 * Returns the folder for user state outside all data folders, out of reach of anyone who can write there: seals and compiled
 * code. `bin/pulseward` repeats this, because it loads nothing.
 */
export function stateDirectory(environment: NodeJS.ProcessEnv, home: string): string {
  const named = environment.XDG_STATE_HOME
  return join(named?.startsWith('/') === true ? named : join(home, '.local', 'state'), 'pulseward')
}
