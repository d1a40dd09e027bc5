-- What people agreed that a partner may be told: names of attributes, a line each.
create table consent (
  realm varchar(100) not null,
  partner varchar(1024) not null,
  person_id varchar(255) not null,
  attributes varchar(100000) not null,
  given_at timestamp with time zone not null,
  primary key (realm, partner, person_id)
);
create index consent_of_person on consent (realm, person_id);
