-- Passkeys (WebAuthn) of people: public keys, which are no secrets.
create table passkey (
  realm varchar(100) not null,
  -- base64url; an authenticator's credential ID has at most 1,023 bytes (WebAuthn, section 5.8.3).
  credential_id varchar(1364) not null,
  person_id varchar(1500) not null,
  -- The public key as a COSE_Key (RFC 9052).
  public_key bytea not null,
  -- The model of the authenticator, as it says itself.
  aaguid varchar(36) not null,
  transports varchar(200) not null,
  backup_eligible boolean not null,
  backed_up boolean not null,
  sign_count bigint not null,
  label varchar(64) not null,
  -- The strength of the login that enrolled or confirmed it: it makes no login stronger than that.
  level varchar(40) not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  primary key (realm, credential_id)
);
create index passkey_of_person on passkey (realm, person_id);

-- What authenticators store in place of a name (WebAuthn, section 5.4.3): random, so that it tells nothing.
create table passkey_person (
  realm varchar(100) not null,
  person_id varchar(1500) not null,
  user_handle varchar(86) not null,
  primary key (realm, person_id)
);

-- Who has answered the offer of a first passkey, with whatever answer: nobody is asked twice.
create table passkey_offer (
  realm varchar(100) not null,
  person_id varchar(1500) not null,
  answered_at timestamp with time zone not null,
  primary key (realm, person_id)
);
