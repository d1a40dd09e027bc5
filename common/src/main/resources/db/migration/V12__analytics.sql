-- What happened, by minute (0), hour (1) and day (2). Each node adds to rows of its own.
create table analytics_amount (
  resolution smallint not null,
  series varchar(30) not null,
  realm varchar(100) not null,
  dimension varchar(20) not null,
  begins_at timestamp with time zone not null,
  label varchar(500) not null,
  node integer not null,
  samples bigint not null,
  total double precision not null,
  peak double precision not null,
  bucket0 bigint not null,
  bucket1 bigint not null,
  bucket2 bigint not null,
  bucket3 bigint not null,
  bucket4 bigint not null,
  bucket5 bigint not null,
  bucket6 bigint not null,
  bucket7 bigint not null,
  bucket8 bigint not null,
  bucket9 bigint not null,
  bucket10 bigint not null,
  bucket11 bigint not null,
  bucket12 bigint not null,
  bucket13 bigint not null,
  bucket14 bigint not null,
  bucket15 bigint not null,
  bucket16 bigint not null,
  primary key (resolution, series, realm, dimension, begins_at, label, node)
);

-- For the removal of old rows.
create index analytics_amount_age on analytics_amount (resolution, begins_at);

-- How far each node is: its last batch, and the last event of its audit log that it counted.
create table analytics_progress (
  node integer primary key,
  batches bigint not null,
  followed bigint not null
);

-- What was unusual about logins.
create table analytics_pattern (
  id varchar(64) primary key,
  kind varchar(30) not null,
  realm varchar(100) not null,
  subject varchar(500) not null,
  node integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  amount bigint not null,
  evidence text not null
);

create index analytics_pattern_age on analytics_pattern (last_at);
