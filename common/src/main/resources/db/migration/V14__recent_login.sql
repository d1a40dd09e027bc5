-- Logins that were tried lately, of all nodes: unusual patterns are found among them. The subject is the person of a login that succeeded,
-- and the typed name of one that failed. The network is one household or office, the provider is roughly one provider.
create table recent_login (
  node integer not null,
  batch bigint not null,
  number integer not null,
  realm varchar(100) not null,
  succeeded boolean not null,
  subject varchar(200) not null,
  name varchar(200) not null,
  address varchar(60) not null,
  network varchar(60) not null,
  provider varchar(60) not null,
  seen_at timestamp with time zone not null,
  primary key (node, batch, number)
);

-- With all columns that the question about networks needs.
create index recent_login_network on recent_login (realm, network, seen_at, succeeded, name);
create index recent_login_subject on recent_login (realm, succeeded, subject, seen_at);
create index recent_login_age on recent_login (seen_at);
