import { type Kysely, type Migration, sql } from 'kysely'
import type { MigrationSet } from '../store/migrate.ts'
import { FIRST_PLANS } from './plans.ts'

/*
 * Tables of keys and plans. They have their own migration history, because they also exist without the index. `api_changes` counts the changes, so that a
 * process can detect that it missed some.
 */
const keysMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`create table api_keys (
      id text primary key, hash bytea not null, network text not null, owner text not null, label text not null, plan text not null,
      created_at timestamptz not null, expires_at timestamptz, revoked_at timestamptz, rotated_to text)`.execute(db)
    await sql`create index api_keys_owner on api_keys (owner, network)`.execute(db)
    await sql`create table api_plans (
      name text not null, network text not null, rps integer not null check (rps >= 0), servers text,
      primary key (name, network))`.execute(db)
    await sql`create table api_changes (one boolean primary key default true check (one), count bigint not null)`.execute(db)
    await sql`insert into api_changes (count) values (0)`.execute(db)
    for (const { name, network, rps, servers } of FIRST_PLANS)
      await sql`insert into api_plans (name, network, rps, servers) values (${name}, ${network}, ${rps}, ${servers ?? null})`.execute(db)
  },
}

/** Limits of events. NULL: the default limit; -1: unlimited. */
const eventsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`alter table api_plans add column sockets integer check (sockets >= -1), add column subscriptions integer check (subscriptions >= -1),
      add column addresses integer check (addresses >= -1), add column replays integer check (replays >= -1)`.execute(db)
  },
}

/** Limits of emulations and of sent messages. NULL: the default limit; -1: unlimited. */
const callsMigration: Migration = {
  async up(db: Kysely<unknown>) {
    // A short lock timeout: while this statement waits for its lock, for example during a backup, all queries of keys would wait behind it.
    await sql`set local lock_timeout = '3s'`.execute(db)
    await sql`alter table api_plans add column emulations integer check (emulations >= -1), add column sends integer check (sends >= -1)`.execute(
      db,
    )
  },
}

/**
 * Removes the group `private` from the plan `free`. Earlier releases created the plan with this group, so that lite-servers reserved for paid plans served
 * every key.
 */
const freeMigration: Migration = {
  async up(db: Kysely<unknown>) {
    await sql`update api_plans set servers = null where name = 'free' and network = '*' and servers = 'private'`.execute(db)
  },
}

export const ACCESS_MIGRATIONS: MigrationSet = {
  name: 'tonway_access_migrations',
  migrations: { '0001-keys': keysMigration, '0002-events': eventsMigration, '0003-calls': callsMigration, '0004-free': freeMigration },
}
