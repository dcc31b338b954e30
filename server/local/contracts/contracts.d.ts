/** Type of a .tolk file in an import: the contract is compiled when the project is bundled (server/build/tolk.mjs). */
declare module '*.tolk' {
  /** Base64 of the code's BoC. */
  export const code: string
}
