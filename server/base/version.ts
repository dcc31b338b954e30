import manifest from '../../package.json' with { type: 'json' }

export const VERSION: string = manifest.version

const [major = '0', minor = '0', patch = '0'] = VERSION.split('.')

/**
 * Version of the v2 interface, for X-API-Version, in TON Center's scheme: 2, then the implementation (0 Python, 1 C++, 2 tonway), then a number that grows
 * with every release.
 */
export const API_VERSION = `2.2.${Number(major) * 10_000 + Number(minor) * 100 + Number(patch)}`

/** Version of the TON Center schema that answers of the v3 interface conform to. */
export const API_VERSION_V3 = '1.2.10'
