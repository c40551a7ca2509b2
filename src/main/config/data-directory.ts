import { join } from 'node:path'

/** The data folder where none is named: `PULSEWARD_HOME` if it is set to anything, else `.pulseward` in the home folder. */
export function defaultDataDirectory(
  environment: { readonly PULSEWARD_HOME?: string },
  homeDirectory: string,
): string {
  return environment.PULSEWARD_HOME || join(homeDirectory, '.pulseward')
}
