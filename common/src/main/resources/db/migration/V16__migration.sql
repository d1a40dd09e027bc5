-- A move of the installation from embedded to shared stores, or back: one row while it runs, and in the database that it left.
create table migration (
  id smallint primary key check (id = 1),
  -- Where the installation goes: shared or embedded.
  target varchar(10) not null,
  finished boolean not null,
  begun_at timestamp with time zone not null
);

-- What a move has copied as a whole into this database: it is not copied again.
create table migration_step (
  name varchar(100) primary key,
  records bigint not null
);
