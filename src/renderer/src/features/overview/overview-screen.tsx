/** All workspaces side by side: who can be trusted, and who needs the operator. */
export function OverviewScreen() {
  return <h1>Overview</h1>
}
