import { join } from 'node:path'

/** Returns the default data folder: `PULSEWARD_HOME` if it is set and not empty, otherwise `.pulseward` in the home folder. */
export function defaultDataDirectory(
  environment: { readonly PULSEWARD_HOME?: string },
  homeDirectory: string,
): string {
  return environment.PULSEWARD_HOME || join(homeDirectory, '.pulseward')
}
