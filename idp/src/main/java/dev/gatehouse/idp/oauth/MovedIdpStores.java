package dev.gatehouse.idp.oauth;

import dev.gatehouse.common.logout.LogoutNotice;
import dev.gatehouse.common.store.Expired;
import dev.gatehouse.common.store.JsonCodec;
import dev.gatehouse.common.store.StoredKind;
import dev.gatehouse.idp.authn.PasswordEnds;
import dev.gatehouse.idp.session.IdpSessionCodec;
import dev.gatehouse.idp.session.IdpSessions;
import java.util.List;

/** What outlives a move of the installation to other stores, of the identity provider. */
public final class MovedIdpStores {

  private MovedIdpStores() {}

  /** Returns what takes rights away, or tells of it. */
  public static List<StoredKind> ends() {
    return List.of(
        new StoredKind.Work<>("idp-logout-notices", new JsonCodec<>(LogoutNotice.class)),
        new StoredKind.Work<>(PasswordEnds.STORE, new JsonCodec<>(PasswordEnds.Intention.class)));
  }

  /** Returns what gives rights: sessions, of which expired ones have consequences to come, then refresh tokens. */
  public static List<StoredKind> grants() {
    return List.of(
        new StoredKind.Sessions<>(IdpSessions.STORE, new IdpSessionCodec(), Expired.KEPT),
        new StoredKind.Sessions<>(Authorization.STORE, new AuthorizationCodec(), Expired.FORGOTTEN));
  }
}
