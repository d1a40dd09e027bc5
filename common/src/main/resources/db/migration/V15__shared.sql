-- What several nodes share beside the tables above; a single node has none of it.

-- One row: whose database this is, and what proves the master key of a node right.
create table deployment (
  id smallint primary key check (id = 1),
  name varchar(31) not null,
  master_key_proof bytea not null,
  -- Counts changes of key_file, and its rows: a row that is lost is noticed.
  keys_version bigint not null,
  key_files integer not null,
  -- The last sequence number that the other store acknowledged.
  sequence bigint not null
);

-- The keys of all nodes, sealed by the master key. The path is that of the file of a single node below its folder keys/.
create table key_file (
  path varchar(300) primary key,
  sealed_content bytea not null,
  version bigint not null,
  changed_at timestamp with time zone not null
);

-- Scheduled work that one node does for all. The fencing number rises each time that another node takes the lease.
create table lease (
  name varchar(100) primary key,
  fence bigint not null,
  holder varchar(100) not null,
  ends_at timestamp with time zone not null
);

-- The nodes that run, or ran lately. The instance is one data folder of one host.
create table node (
  instance varchar(64) primary key,
  number integer not null,
  host varchar(255) not null,
  version varchar(100) not null,
  revision bigint not null,
  seen_at timestamp with time zone not null
);
