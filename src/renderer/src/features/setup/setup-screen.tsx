/** The first run, and every further folder: find an agent, choose a folder, write a contract, try it. */
export function SetupScreen() {
  return <h1>Set up a folder</h1>
}
