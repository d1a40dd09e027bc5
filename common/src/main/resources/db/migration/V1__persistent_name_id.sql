-- Persistent NameIDs (SAML Core 8.3.7): random, one per realm, partner and person, never given to another person.
create table persistent_name_id (
  realm varchar(100) not null,
  partner varchar(1024) not null,
  person_id varchar(255) not null,
  name_id varchar(256) not null,
  created_at timestamp with time zone not null,
  primary key (realm, partner, person_id),
  constraint persistent_name_id_is_unique unique (realm, partner, name_id)
);
