/* Commands for keys and plans, for the command line and its --help. This file has no imports, so that --help loads fast. */

const network = { for: { value: 'network', what: 'the network, if the settings have several; by default the first' } } as const
const json = { json: { what: 'prints one JSON object per line' } } as const

const EXIT_CODES = 'Exit code 0: done; 1: refused, such as an unknown key or plan; 2: wrong arguments, or the database cannot be reached.'

/** Words that every limit except `rps` accepts instead of a number. */
const COMMON = '`unlimited`: any number, `common`: the limit without a plan'

export const KEYS_COMMAND = {
  what: 'makes, lists, replaces and revokes API keys',
  more: [EXIT_CODES],
  actions: {
    create: {
      what: 'makes a key and prints it; it cannot be shown again',
      more: ['Only the key goes to standard output. Everything else goes to standard error.'],
      flags: {
        owner: { value: 'name', what: 'owner of the key; all keys of an owner share the limit of their plan' },
        plan: { value: 'name', what: 'plan of the key, by default free; `tonway plans list` shows all plans' },
        label: { value: 'text', what: 'a note that says what the key is for' },
        expires: { value: 'when', what: 'when it expires: a time from now (90d, 12h) or a date (2030-01-31); by default never' },
        ...network,
      },
    },
    list: {
      what: 'lists keys, without their secrets',
      flags: {
        owner: { value: 'name', what: 'only keys of this owner' },
        for: { value: 'network', what: 'only keys of this network' },
        ...json,
      },
    },
    rotate: {
      what: 'makes a key that replaces another one, and prints it; the old key stays valid for a while',
      positionals: ['id'],
      flags: { overlap: { value: 'time', what: 'how long the old key stays valid, by default 24h; 0 ends it at once' } },
    },
    revoke: { what: 'makes a key invalid at once, in every process', positionals: ['id'] },
  },
} as const

export const PLANS_COMMAND = {
  what: 'lists and sets plans: the limits of keys',
  more: [EXIT_CODES],
  actions: {
    list: {
      what: 'lists plans',
      more: [
        'Calls of a plan with a group of lite-servers try that group first; all others have only the lite-servers without a group.',
        'An empty limit is the common one.',
      ],
      flags: json,
    },
    set: {
      what: 'makes a plan, or changes its limits',
      positionals: ['name'],
      flags: {
        rps: { value: 'number', what: 'calls per second, for all keys of an owner together' },
        servers: { value: 'group', what: 'group of lite-servers that its calls try first; `none`: only the lite-servers without a group' },
        sockets: {
          value: 'number',
          what: `connections that receive events, for all keys of an owner together; ${COMMON}`,
        },
        subscriptions: { value: 'number', what: `subscriptions of one JSON-RPC socket; ${COMMON}` },
        addresses: { value: 'number', what: `addresses and hashes of one connection, all its subscriptions together; ${COMMON}` },
        replays: {
          value: 'number',
          what: `subscriptions that resume at a time, for all keys of an owner together, in each process; ${COMMON}`,
        },
        emulations: { value: 'number', what: `emulations in a second, for all keys of an owner together; ${COMMON}` },
        sends: { value: 'number', what: `messages to one account in a second, for all keys of an owner together; ${COMMON}` },
        for: { value: 'network', what: 'only for this network; by default for every network that has no plan of this name' },
      },
    },
  },
} as const

export type KeysAction = keyof (typeof KEYS_COMMAND)['actions']
export type PlansAction = keyof (typeof PLANS_COMMAND)['actions']
