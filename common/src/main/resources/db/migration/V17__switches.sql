-- What administrators have switched at run time, for all nodes that share the database; a single node has none of it. A switch that was
-- taken back has no value, so that versions only rise.
create table node_switch (
  kind varchar(20) not null,
  name varchar(500) not null,
  setting varchar(100) not null,
  version bigint not null,
  primary key (kind, name)
);

-- Whether a node has a share of the rates of routes; nodes of the former version have one.
alter table node add column serves_apps boolean default true not null;
