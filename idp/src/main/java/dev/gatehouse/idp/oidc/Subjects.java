package dev.gatehouse.idp.oidc;

import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.idp.oauth.client.Client;

/** Subject identifiers (OpenID Connect Core 8): the same for a client for ever, never the directory's own id. */
@FunctionalInterface
public interface Subjects {
  String subject(Realm realm, Client client, PersonId person);
}
