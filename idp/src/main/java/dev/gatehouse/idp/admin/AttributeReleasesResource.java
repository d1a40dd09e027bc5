package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.admin.ReleaseView;
import dev.gatehouse.common.directory.Directories;
import dev.gatehouse.common.directory.Person;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.realm.Realm;
import dev.gatehouse.common.realm.Realms;
import dev.gatehouse.idp.oauth.authorize.ClaimReleasePreview;
import dev.gatehouse.idp.saml.sso.AttributeReleasePreview;
import java.util.Optional;

/** What logins would tell service providers and OpenID clients about people, in the administration API. */
public final class AttributeReleasesResource implements AdminResource.AttributeReleases {

  private final Realms realms;
  private final Directories directories;
  private final AttributeReleasePreview attributes;
  private final ClaimReleasePreview claims;

  public AttributeReleasesResource(
      Realms realms, Directories directories, AttributeReleasePreview attributes, ClaimReleasePreview claims) {
    this.realms = realms;
    this.directories = directories;
    this.attributes = attributes;
    this.claims = claims;
  }

  @Override
  public Optional<ReleaseView> toServiceProvider(String realm, String person, String entityId, Optional<Integer> attributeService) {
    return realm(realm).flatMap(found -> person(found, person)).flatMap(one -> attributes.of(realm, one, entityId, attributeService));
  }

  @Override
  public Optional<ReleaseView> toClient(
      String realm, String person, String clientId, Optional<String> scope, Optional<String> requested) {
    return realm(realm)
        .flatMap(found -> person(found, person).flatMap(one -> claims.of(found, one, clientId, scope, requested)));
  }

  private Optional<Realm> realm(String name) {
    return realms.find(name).filter(realm -> realm.idp().isPresent() && realm.directory().isPresent());
  }

  private Optional<Person> person(Realm realm, String id) {
    return directories.of(realm).find(new PersonId(id));
  }
}
