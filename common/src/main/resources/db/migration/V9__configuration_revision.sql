-- The configuration's revisions, which never change: who changed what, when and why.
create table configuration_revision (
  number bigint primary key,
  author varchar(200) not null,
  reason varchar(1000) not null,
  created_at timestamp with time zone not null
);

-- The contents of files, each once, compressed and sealed: without the key file next to the database they are noise.
-- The digest is keyed, so that nobody can try out a short secret.
create table configuration_content (
  digest varchar(64) primary key,
  sealed_content bytea not null
);

-- The files of each revision. A secret one has a digest, but no content.
create table configuration_file (
  revision bigint not null references configuration_revision,
  path varchar(1500) not null,
  digest varchar(64) not null,
  secret boolean not null,
  primary key (revision, path)
);
