-- What the service provider calls the person (SAML Core 3.6.1, NewID).
alter table persistent_name_id add column sp_provided_id varchar(256);
create index persistent_name_id_of_person on persistent_name_id (realm, person_id);

-- Names that were given and ended: nobody gets one again (SAML Core 8.3.7).
create table retired_name_id (
  realm varchar(100) not null,
  partner varchar(1024) not null,
  name_id varchar(256) not null,
  retired_at timestamp with time zone not null,
  primary key (realm, partner, name_id)
);

-- Who of an identity provider (partner) is which local account (person_id).
create table account_link (
  realm varchar(100) not null,
  partner varchar(1024) not null,
  person_id varchar(255) not null,
  name_id varchar(256) not null,
  sp_provided_id varchar(256),
  created_at timestamp with time zone not null,
  primary key (realm, partner, name_id),
  constraint account_link_is_unique unique (realm, partner, person_id)
);
create index account_link_of_person on account_link (realm, person_id);
