package dev.gatehouse.gateway.filter;

import dev.gatehouse.common.realm.IdentityValue.Known;
import dev.gatehouse.gateway.bearer.TokenHolder;
import dev.gatehouse.sp.session.AppSession;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The identity data of a session or of an access token's holder. */
public sealed interface Identity {

  String user();

  List<String> roles();

  List<String> groups();

  /** The attributes by plain name. */
  Map<String, List<String>> attributes();

  /** A property of the login; empty if it is unknown. */
  Optional<String> login(Known known);

  /** The latest end of the identity. */
  Instant end();

  /** The object that the values come from; the values are the same as long as it is the same object. */
  Object source();

  /** A person with a session. */
  record Person(AppSession session) implements Identity {
    @Override
    public String user() {
      return session.account().user();
    }

    @Override
    public List<String> roles() {
      return session.account().roles();
    }

    @Override
    public List<String> groups() {
      return session.account().groups();
    }

    @Override
    public Map<String, List<String>> attributes() {
      return session.account().attributes();
    }

    @Override
    public Optional<String> login(Known known) {
      return switch (known) {
        case PROVIDER -> Optional.of(session.login().identityProvider());
        case NAME_ID -> Optional.of(session.login().nameId().value());
        case NAME_ID_FORMAT -> Optional.of(session.login().nameId().format());
        case AUTHN_CONTEXT -> session.login().authnContextClassRef();
        case LOGIN_TIME -> Optional.of(session.createdAt().toString());
        case ID -> Optional.of(session.id().value());
        case REALM -> Optional.of(session.realm());
      };
    }

    @Override
    public Instant end() {
      return session.expiresAt();
    }

    @Override
    public Object source() {
      return session;
    }
  }

  /** The holder of an access token. */
  record Holder(TokenHolder token, String realm) implements Identity {
    @Override
    public String user() {
      return token.account().user();
    }

    @Override
    public List<String> roles() {
      return token.account().roles();
    }

    @Override
    public List<String> groups() {
      return token.account().groups();
    }

    @Override
    public Map<String, List<String>> attributes() {
      return token.account().attributes();
    }

    @Override
    public Optional<String> login(Known known) {
      return switch (known) {
        case PROVIDER -> Optional.of(token.issuer());
        case NAME_ID -> Optional.of(token.subject());
        case AUTHN_CONTEXT -> token.acr();
        case REALM -> Optional.of(realm);
        case NAME_ID_FORMAT, LOGIN_TIME, ID -> Optional.empty();
      };
    }

    @Override
    public Instant end() {
      return token.expiresAt();
    }

    @Override
    public Object source() {
      return token;
    }
  }
}
