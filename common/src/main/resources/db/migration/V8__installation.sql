-- Which installation the database belongs to, and its generation: one row.
create table installation (
  record varchar(1000) not null
);

-- That second factors were lost, and when: one row then. Nobody sets up a first one with a password alone.
create table second_factor_loss (
  lost_at timestamp with time zone not null
);

-- For whom an administrator confirmed after a loss that they may set up a second factor; person_id * is everybody of the realm.
create table second_factor_confirmation (
  realm varchar(100) not null,
  person_id varchar(255) not null,
  confirmed_at timestamp with time zone not null,
  primary key (realm, person_id)
);
