package dev.gatehouse.idp.admin;

import dev.gatehouse.common.admin.AdminResource;
import dev.gatehouse.common.audit.AuditEvent;
import dev.gatehouse.common.directory.PersonId;
import dev.gatehouse.common.session.SessionId;
import dev.gatehouse.idp.oauth.Authorization;
import dev.gatehouse.idp.oauth.token.Authorizations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What people have authorized OAuth clients to do, in the administration API. */
public final class AuthorizationsResource implements AdminResource.OAuthAuthorizations {

  private static final int PAGE = 500;

  private final Authorizations authorizations;

  public AuthorizationsResource(Authorizations authorizations) {
    this.authorizations = authorizations;
  }

  @Override
  public List<AdminResource.AuthorizationView> page(String realm, String after, int limit) {
    return authorizations.page(realm, after, limit).stream().map(AuthorizationsResource::view).toList();
  }

  /** Finds authorizations by id directly, and by name only through all of them, because the store is indexed by id. */
  @Override
  public List<AdminResource.AuthorizationView> ofPerson(String realm, String person) {
    List<Authorization> found = new ArrayList<>(authorizations.ofPerson(realm, new PersonId(person)));
    String after = "";
    List<Authorization> page;
    do {
      page = authorizations.page(realm, after, PAGE);
      page.stream().filter(one -> one.snapshot().details().name().equals(person) && !found.contains(one)).forEach(found::add);
      after = page.isEmpty() ? after : page.getLast().id().value();
    } while (page.size() == PAGE);
    return found.stream().map(AuthorizationsResource::view).toList();
  }

  @Override
  public Optional<AdminResource.AuthorizationView> find(String realm, String authorization) {
    return authorizations.stored(realm, new SessionId(authorization)).map(AuthorizationsResource::view);
  }

  @Override
  public boolean end(String realm, String authorization) {
    AuditEvent.Context context = new AuditEvent.Context(realm, "-", Optional.empty());
    return authorizations.end(context, realm, new SessionId(authorization), Authorizations.End.ADMINISTRATOR).isPresent();
  }

  private static AdminResource.AuthorizationView view(Authorization one) {
    return new AdminResource.AuthorizationView(
        one.id().value(),
        one.clientId(),
        one.person().value(),
        one.snapshot().details().name(),
        one.grant().scopes().stream().sorted().toList(),
        one.grant().resources(),
        one.tokens().refresh().isPresent(),
        one.endsWith().isEmpty(),
        one.createdAt(),
        one.expiresAt());
  }
}
