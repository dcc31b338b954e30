import { flagOf, settingNames } from '../config/settings.ts'
import { COMMANDS, type CommandDef, commandNames } from './commands.ts'

/* Scripts that complete the command line: commands first, then actions and flags of the command. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const

const settingFlags = (): string[] => settingNames.map((name) => `--${flagOf(name)}`)

/** What may follow a command: its actions, its flags and those of its actions. */
const wordsAfter = (def: CommandDef): string[] => [
  ...Object.keys(def.actions ?? {}),
  ...new Set([def, ...Object.values(def.actions ?? {})].flatMap(({ flags }) => Object.keys(flags ?? {}).map((name) => `--${name}`))),
]

const cases = (line: (name: string, words: string) => string): string =>
  commandNames.map((name) => line(name, [...wordsAfter(COMMANDS[name]), '--help'].join(' '))).join('\n')

const bash = (): string => `# eval "$(tonway completion bash)"
_tonway() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words
  if [ "$COMP_CWORD" -eq 1 ]; then words="${commandNames.join(' ')} --help --version --print-config"; else
    case "\${COMP_WORDS[1]}" in
${cases((name, words) => `      ${name}) words="${words}" ;;`)}
    esac
  fi
  COMPREPLY=($(compgen -W "$words ${settingFlags().join(' ')}" -- "$word"))
}
complete -o default -F _tonway tonway
`

const zsh = (): string => `# eval "$(tonway completion zsh)"
_tonway() {
  local -a offers
  if (( CURRENT == 2 )); then offers=(${commandNames.join(' ')} --help --version --print-config); else
    case "\${words[2]}" in
${cases((name, words) => `      ${name}) offers=(${words}) ;;`)}
    esac
  fi
  offers+=(${settingFlags().join(' ')})
  compadd -- $offers
}
compdef _tonway tonway
`

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

const fish = (): string =>
  [
    '# tonway completion fish | source',
    'complete -c tonway -f',
    ...commandNames.map((name) => `complete -c tonway -n __fish_use_subcommand -a ${name} -d ${quoted(COMMANDS[name].what)}`),
    ...commandNames.flatMap((name) => {
      const def: CommandDef = COMMANDS[name]
      const when = quoted(`__fish_seen_subcommand_from ${name}`)
      return [
        ...Object.entries(def.actions ?? {}).map(([action, { what }]) => `complete -c tonway -n ${when} -a ${action} -d ${quoted(what)}`),
        ...Object.entries(def.flags ?? {}).map(
          ([flag, { what, value }]) => `complete -c tonway -n ${when} -l ${flag}${value ? ' -r' : ''} -d ${quoted(what)}`,
        ),
      ]
    }),
    ...settingNames.map((name) => `complete -c tonway -l ${flagOf(name)} -r`),
    '',
  ].join('\n')

/** The script for a shell; undefined if there is none for it. */
export const completionFor = (shell: string): string | undefined =>
  shell === 'bash' ? bash() : shell === 'zsh' ? zsh() : shell === 'fish' ? fish() : undefined
