/* Values whose length strangers choose. A large one is read only after the size check of the answer. */

/** Maximum length of a token's content that is read together with its row. Most tokens have less. */
export const SMALL_CONTENT = 2 << 10

/** Selects a value as `as` only if it has at most `most` bytes, and its length. For the length alone PostgreSQL does not load a large value. */
export const smallOf = (column: string, most: number, as: string, bytes: string): string =>
  `case when octet_length(${column}) <= ${most} then ${column} end as ${as}, octet_length(${column}) as ${bytes}`
