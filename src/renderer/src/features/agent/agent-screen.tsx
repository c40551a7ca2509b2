/** How the agent of a workspace works: its profile, and its figures over time. */
export function AgentScreen({ workspaceId }: { workspaceId: string }) {
  return <h2 data-workspace={workspaceId}>Agent</h2>
}
