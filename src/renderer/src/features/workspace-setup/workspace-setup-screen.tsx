/** The settings of one workspace, which live in its `pulseward.toml`. */
export function WorkspaceSetupScreen({ workspaceId }: { workspaceId: string }) {
  return <h2 data-workspace={workspaceId}>Setup</h2>
}
