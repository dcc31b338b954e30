/* The commands for keys and plans, for the command line and its --help. No imports, so that loading this costs nothing. */

const network = { for: { value: 'network', what: 'which of several networks; the first unless given' } } as const
const json = { json: { what: 'one JSON object a line' } } as const

export const KEYS_COMMAND = {
  what: 'makes, lists, replaces and revokes API keys',
  actions: {
    create: {
      what: 'makes a key and prints it, this once',
      more: ['The key alone goes to standard output, what is said about it to standard error.'],
      flags: {
        owner: { value: 'name', what: 'whose it is: all keys of an owner share the limit of their plan' },
        plan: { value: 'name', what: 'free unless given; `tonway plans list` shows what there is' },
        label: { value: 'text', what: 'what it is for' },
        expires: { value: 'when', what: 'a time from now (90d, 12h) or a date (2030-01-31); never unless given' },
        ...network,
      },
    },
    list: {
      what: 'lists keys, without their secrets',
      flags: { owner: { value: 'name', what: 'of this owner only' }, for: { value: 'network', what: 'of this network only' }, ...json },
    },
    rotate: {
      what: 'makes a key in place of another, which goes on for a while, and prints it, this once',
      positionals: ['id'],
      flags: { overlap: { value: 'time', what: 'how long the old key goes on (24h unless given, 0 not at all)' } },
    },
    revoke: { what: 'ends a key, at once and everywhere', positionals: ['id'] },
  },
} as const

export const PLANS_COMMAND = {
  what: 'lists and sets plans: how much the keys of an owner may do',
  actions: {
    list: { what: 'lists plans', flags: json },
    set: {
      what: 'makes a plan, or changes what it allows',
      positionals: ['name'],
      flags: {
        rps: { value: 'number', what: 'calls a second of all keys of an owner' },
        servers: { value: 'group', what: 'group of lite-servers that its calls go to first; `none`: the ordinary ones' },
        for: { value: 'network', what: 'on this network only; on all that have none of this name unless given' },
      },
    },
  },
} as const

export type KeysAction = keyof (typeof KEYS_COMMAND)['actions']
export type PlansAction = keyof (typeof PLANS_COMMAND)['actions']
