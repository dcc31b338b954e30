import { migration } from './statements.ts'

/* Webhooks. A plain local table even on a cluster: there are a few thousand rows at most, and only one process reads them. */

export const hooksMigration = migration([
  `create table hooks (
    id text not null primary key,
    owner text not null,
    url text not null,
    secret text not null,
    filter text not null,
    cursor text not null,
    created_at bigint not null,
    paused boolean not null,
    reason text,
    failures integer not null,
    failing_since bigint,
    next_try bigint not null,
    changed bigint not null)`,
  'create index hooks_owner on hooks (owner)',
])
