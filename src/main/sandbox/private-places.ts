import { join } from 'node:path'
import { type OwnFolders, placeOf } from '../../core/agents/program.ts'
import { AGENT_PROGRAMS, PRESET_IDS, type PresetId } from '../../core/agents/programs.ts'
import { wordList } from '../../core/text/word-list.ts'

/* What only the operator may see, and what an agent's program owns. Paths are relative to the home folder. */

const KEYS_AND_LOGINS = wordList(`
  .ssh .gnupg .aws .azure .kube .docker .netrc .authinfo .authinfo.gpg .git-credentials
  .config/git/credentials .config/gh .config/glab-cli .config/hub .config/gcloud .config/doctl .config/heroku
  .config/rclone .config/op .config/sops .config/containers/auth.json .config/helm/registry .config/flyctl
  .fly .railway .vercel .oci .s3cfg .boto .terraformrc .terraform.d .vault-token .pypirc .gem/credentials
  .cargo/credentials .cargo/credentials.toml .composer/auth.json .config/composer/auth.json .pgpass .my.cnf
  .mylogin.cnf .config/age .age .password-store .config/netlify .local/share/keyrings .local/share/kwalletd
  .pki .Xauthority .ICEauthority .bitcoin .ethereum .electrum .config/solana
`)

const BROWSERS_AND_PEOPLE = wordList(`
  .mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge
  .config/vivaldi .config/opera .config/1Password .config/Bitwarden .config/Signal .config/Slack
  .config/discord .config/evolution .local/share/evolution .cache/mozilla .cache/google-chrome .cache/chromium
  .var/app snap .bash_history .zsh_history .zhistory .local/share/fish/fish_history .python_history
  .node_repl_history .psql_history .mysql_history .sqlite_history .rediscli_history
`)

const OF_MACOS = [
  ...['Library/Application Support/Google', 'Library/Application Support/Firefox', 'Library/Safari'],
  ...[
    'Library/Application Support/BraveSoftware',
    'Library/Application Support/Microsoft Edge',
    'Library/Cookies',
  ],
  ...['Library/Application Support/1Password', 'Library/Mail', 'Library/Messages', 'Library/Containers'],
  ...['Library/Group Containers', 'Library/Keychains/login.keychain'],
]

/** Returns what is hidden in every home folder, unless a program needs it for its own login. */
export function privatePlaces(home: string): readonly string[] {
  return [...KEYS_AND_LOGINS, ...BROWSERS_AND_PEOPLE, ...OF_MACOS].map((path) => join(home, path))
}

/**
 * Returns sockets through which a process could make others act for it outside its sandbox: containers, the session's and the system's bus,
 * keyrings, the display, virtual machines.
 */
export function commandingSockets(environment: NodeJS.ProcessEnv): readonly string[] {
  const named = [
    environment.XDG_RUNTIME_DIR,
    environment.SSH_AUTH_SOCK,
    environment.XAUTHORITY,
    environment.ICEAUTHORITY,
    environment.DOCKER_HOST?.replace(/^unix:\/\//, ''),
    environment.CONTAINER_HOST?.replace(/^unix:\/\//, ''),
    environment.NVIM,
    environment.TMUX?.split(',')[0],
    environment.VSCODE_IPC_HOOK_CLI,
  ]
  return [
    ...named.filter((path): path is string => path?.startsWith('/') === true),
    ...wordList(`
      user dbus docker.sock docker podman containerd crio libvirt lxd incus snapd.socket snapd-snap.socket
      systemd/private systemd/io.systemd.ManagedOOM pcscd screen gdm lightdm user-sockets acpid.socket
      multipathd.sock
    `).map((name) => `/run/${name}`),
    '/var/lib/lxd/unix.socket',
    '/var/snap/lxd/common/lxd/unix.socket',
  ]
}

/** Variables that only lead to those sockets. */
export const LEADING_VARIABLES: readonly string[] = wordList(`
  DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET XAUTHORITY DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK SSH_AGENT_PID
  GPG_AGENT_INFO GNOME_KEYRING_CONTROL XDG_RUNTIME_DIR DOCKER_HOST CONTAINER_HOST TMUX STY NVIM
  VSCODE_IPC_HOOK_CLI ICEAUTHORITY SESSION_MANAGER
`)

/** Returns where package managers and compilers cache downloads: readable, with writes in a layer that is deleted with the process. */
export function cachePlaces(home: string): readonly string[] {
  return [
    ...wordList(`
      .npm .yarn .bun/install/cache .deno .local/share/pnpm/store .pnpm-store go/pkg .cargo/registry
      .cargo/git .m2/repository .gradle .nuget/packages .pub-cache .ivy2
    `),
    ...wordList(`
      pip uv yarn pnpm go-build node node-gyp deno bun pypoetry pre-commit ccache sccache bazel typescript turbo
      electron composer matplotlib
    `).map((name) => `.cache/${name}`),
  ].map((path) => join(home, path))
}

/**
 * Programs that cannot work without their own cache, by name, and where it is: they create a missing one, which is impossible in a
 * read-only home.
 */
export const CACHES_OF: Readonly<Record<string, readonly string[]>> = {
  go: ['.cache/go-build', 'go/pkg'],
  npm: ['.npm'],
  cargo: ['.cargo/registry', '.cargo/git'],
  mvn: ['.m2/repository'],
  gradle: ['.gradle'],
  dotnet: ['.nuget/packages'],
  dart: ['.pub-cache'],
  uv: ['.cache/uv'],
  deno: ['.cache/deno'],
  bun: ['.bun/install/cache'],
  pnpm: ['.local/share/pnpm/store'],
}

/** Returns settings that programs need and that may contain a token: shown without it. */
export function settingPlaces(home: string): readonly string[] {
  return wordList(`
    .npmrc .yarnrc .yarnrc.yml .bunfig.toml .gitconfig .config/git/config .curlrc .wgetrc .hgrc
    .config/pip/pip.conf .pip/pip.conf .config/uv/uv.toml .config/pypoetry/auth.toml
    .config/pypoetry/config.toml .condarc .m2/settings.xml .gradle/gradle.properties .nuget/NuGet/NuGet.Config
    .config/NuGet/NuGet.Config .bundle/config .cargo/config.toml .cargo/config .config/composer/config.json
    .config/pnpm/rc .config/go/env .sbt/.credentials .ivy2/.credentials .config/hub
  `).map((path) => join(home, path))
}

/**
 * Returns the absolute paths of an agent's program. For an unknown program, returns those of all known ones, because it may run one of
 * them; nothing in them is kept.
 */
export function ownPlaces(preset: PresetId | null, home: string, environment: NodeJS.ProcessEnv): OwnFolders {
  const known = (preset === null ? PRESET_IDS : [preset]).map((id) => AGENT_PROGRAMS[id].folders)
  const absolute = (paths: readonly string[]): string[] =>
    paths.map((path) => placeOf(path, environment, home) ?? '').filter((path) => path.startsWith('/'))
  const kept = preset === null ? [] : known
  return {
    places: absolute(known.flatMap(({ places }) => places)),
    logins: kept.flatMap(({ logins }) =>
      logins.flatMap((login) => absolute([login.file]).map((file) => ({ ...login, file }))),
    ),
    transcripts: absolute(kept.flatMap(({ transcripts }) => transcripts)),
  }
}

/** Returns the paths of the other agents' programs: their logins must stay hidden. */
export function othersPlaces(
  preset: PresetId | null,
  home: string,
  environment: NodeJS.ProcessEnv,
): readonly string[] {
  if (preset === null) return []
  const own = new Set(ownPlaces(preset, home, environment).places)
  return ownPlaces(null, home, environment).places.filter((path) => !own.has(path))
}

/** Paths of system programs that read the outside world: a probe `gh pr list` is useless without them. */
const OF_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  aws: ['.aws'],
  az: ['.azure'],
  docker: ['.docker', '/run/docker.sock', '/var/run/docker.sock'],
  doctl: ['.config/doctl'],
  flyctl: ['.fly'],
  gcloud: ['.config/gcloud'],
  gh: ['.config/gh'],
  git: ['.ssh', '.git-credentials', '.config/git/credentials'],
  glab: ['.config/glab-cli'],
  heroku: ['.netrc', '.config/heroku'],
  helm: ['.kube', '.config/helm/registry'],
  kubectl: ['.kube'],
  mysql: ['.my.cnf', '.mylogin.cnf'],
  podman: ['.config/containers/auth.json', '/run/podman'],
  psql: ['.pgpass'],
  curl: ['.netrc'],
  rclone: ['.config/rclone'],
  rsync: ['.ssh'],
  scp: ['.ssh'],
  ssh: ['.ssh'],
  s3cmd: ['.s3cfg'],
  terraform: ['.terraformrc', '.terraform.d', '.aws'],
  vault: ['.vault-token'],
}

/** Returns which of the operator's files a check's program needs, if it is a system program that does not run the workspace's code. */
export function placesOfProgram(name: string, home: string): readonly string[] {
  return (OF_PROGRAMS[name] ?? []).map((path) => (path.startsWith('/') ? path : join(home, path)))
}
