-- Jobs of administrators at several nodes; a single node has them in a file.
create table administrator_job (
  id varchar(32) primary key,
  kind varchar(100) not null,
  -- The realm, or the node whose job it is: one job of a kind runs in each.
  scope varchar(300) not null,
  -- The node that does it, as in the table node.
  instance varchar(64) not null,
  -- running, ended, or lost: its node ended before it did.
  state varchar(10) not null,
  cancelled boolean not null,
  content text not null,
  started_at timestamp with time zone not null
);
create index administrator_job_kind on administrator_job (kind, scope, state);

-- Since when a node runs and serves its revision, whether it is drained, and whether an administrator wants that it is.
alter table node add column started_at timestamp with time zone;
alter table node add column revision_since timestamp with time zone;
alter table node add column draining boolean default false not null;
alter table node add column drain_wanted boolean;
