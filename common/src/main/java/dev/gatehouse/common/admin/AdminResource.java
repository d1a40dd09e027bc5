package dev.gatehouse.common.admin;

import java.time.Instant;
import dev.gatehouse.common.federation.BulkFederation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A resource of a module for administrators. The gateway's admin edge publishes every bean of this type under {@code /admin/v1/},
 * authenticates, audits and converts to JSON; it also bounds pages.
 */
public sealed interface AdminResource {

  /** Sessions of one kind. */
  non-sealed interface Sessions extends AdminResource {
    /** Returns {@code idp} or {@code app}. */
    String kind();

    List<SessionView> page(String realm, String after, int limit);

    /** Returns sessions of the person with that name or id. */
    List<SessionView> ofPerson(String realm, String person);

    /** Returns the session with that id. */
    Optional<SessionView> find(String realm, String session);

    /** Ends the session; returns false if there is none. */
    boolean end(String realm, String session, String administrator);
  }

  /** Routes switched to maintenance, or back, at run time. */
  non-sealed interface Maintenances extends AdminResource {
    /** Returns the switch; empty if the configuration applies. */
    Optional<Switched> find(String realm, String route);

    /** Switches maintenance; durable when it returns. */
    void set(String realm, String route, Switched how);

    /** Removes the switch, so that the configuration applies again; returns false if it did already. */
    boolean clear(String realm, String route);
  }

  /**
   * A switch of maintenance at run time.
   *
   * @param until when it ends by itself
   */
  record Switched(boolean on, Optional<Instant> until) {}

  /** Second factors of people. */
  non-sealed interface SecondFactorAdmin extends AdminResource {
    /** Returns the second factor of the person with that name or id; empty if there is no such person. */
    Optional<SecondFactorView> ofPerson(String realm, String person);

    /** Removes all second factors of the person; returns false if there are none. */
    boolean reset(String realm, String person);

    /**
     * Confirms, after a loss of second factors, that the person, or everybody of the realm, may set one up with a password. Returns
     * false if there is no such person.
     */
    boolean confirm(String realm, Optional<String> person);
  }

  /** Passkeys of people. */
  non-sealed interface PasskeyAdmin extends AdminResource {
    /** Returns the passkeys of the person with that name or id, the oldest first. */
    List<PasskeyView> ofPerson(String realm, String person);

    /** Removes that passkey of the person, or all without {@code id}; returns false if there are none. */
    boolean remove(String realm, String person, Optional<String> id);
  }

  /** The secrets that people stored for the login forms of apps: names only. */
  non-sealed interface StoredSecrets extends AdminResource {
    /** @param person as in the person's sessions at the gateway */
    List<AppSecretView> ofPerson(String realm, String person);

    /** Removes all secrets for that app; returns false if there are none. */
    boolean remove(String realm, String person, String app, String administrator);
  }

  /** Further data that a module stores about people. */
  non-sealed interface PersonData extends AdminResource {
    /** Returns the entries by kind; nothing in them gives access to anything. */
    Map<String, List<Map<String, Object>>> ofPerson(String realm, PersonReference person);

    /** Removes the entries and returns their numbers by kind. */
    Map<String, Integer> erase(String realm, PersonReference person, String by);
  }

  /** What logins would tell partners about people, by the same rules as logins. */
  non-sealed interface AttributeReleases extends AdminResource {
    /**
     * Returns what a service provider would get; empty if the realm has no such person or service provider.
     *
     * @param person the directory's id
     * @param attributeService the AttributeConsumingServiceIndex of the AuthnRequest
     * @throws IllegalArgumentException if the metadata have no such service; the message says so
     */
    Optional<ReleaseView> toServiceProvider(String realm, String person, String entityId, Optional<Integer> attributeService);

    /**
     * Returns what an OpenID client would get; empty if the realm has no such person or client.
     *
     * @param person the directory's id
     * @param scope the parameter of the authorization request; all that the client may have if empty
     * @param claims the parameter of the authorization request (OpenID Connect Core 5.5)
     * @throws IllegalArgumentException if {@code claims} cannot be read; the message says so
     */
    Optional<ReleaseView> toClient(String realm, String person, String clientId, Optional<String> scope, Optional<String> claims);
  }

  /**
   * A person of a realm.
   *
   * @param id the directory's id
   * @param name the login name; the id if the directory has no such person any more
   */
  record PersonReference(String id, String name) {}

  /** A stored secret for an app, without its value. */
  record AppSecretView(String app, String name, Instant changedAt) {}

  /** OAuth clients that registered at run time, without configured ones. */
  non-sealed interface RegisteredClients extends AdminResource {
    /** @param after the ID of the last client of the page before; empty for the first page */
    List<ClientView> page(String realm, String after, int limit);

    Optional<ClientView> find(String realm, String clientId);

    /** Removes the client and everything that was issued to it; returns false if there is none. */
    boolean remove(String realm, String clientId);
  }

  /**
   * A registered client.
   *
   * @param registeredBy the name of the initial access token, or {@code loopback}
   */
  record ClientView(
      String clientId, Optional<String> name, List<String> redirectUris, String registeredBy, Instant registeredAt) {}

  /** What people have authorized OAuth clients to do. One whose session has ended may be among them; its tokens are refused. */
  non-sealed interface OAuthAuthorizations extends AdminResource {
    /** @param after the ID of the last one of the page before; empty for the first page */
    List<AuthorizationView> page(String realm, String after, int limit);

    /** Returns those of the person with that name or id. */
    List<AuthorizationView> ofPerson(String realm, String person);

    /** Returns the authorization with that id. */
    Optional<AuthorizationView> find(String realm, String authorization);

    /** Ends the authorization with all its tokens; returns false if there is none. */
    boolean end(String realm, String authorization);
  }

  /**
   * An authorization; nothing in it is a token.
   *
   * @param resources audiences of its access tokens; empty for our own issuer
   * @param isRefreshable whether it has a refresh token
   * @param isOffline whether it outlives the session in which it began
   */
  record AuthorizationView(
      String id,
      String clientId,
      String person,
      String name,
      List<String> scopes,
      List<String> resources,
      boolean isRefreshable,
      boolean isOffline,
      Instant createdAt,
      Instant expiresAt) {}

  /**
   * The second factor of a person.
   *
   * @param person the directory's id
   * @param recoveryCodes number of unused ones
   */
  record SecondFactorView(String person, String name, List<AuthenticatorApp> apps, int recoveryCodes) {
    /** An authenticator app. */
    public record AuthenticatorApp(String label, Instant createdAt, Optional<Instant> usedAt) {}
  }

  /**
   * A session for administrators; nothing in it gives access to the session.
   *
   * @param participants entity IDs of partners (idp) or the identity provider (app)
   */
  record SessionView(
      String kind,
      String id,
      String realm,
      String person,
      String name,
      Instant createdAt,
      Instant expiresAt,
      List<String> participants) {}

  /** Logout notices from server to server that partners have not confirmed. */
  non-sealed interface Logouts extends AdminResource {
    /** Returns {@code idp} or {@code app}: the sender. */
    String kind();

    /** Returns the number of pending notices. */
    long count(String realm);

    List<LogoutView> page(String realm, String after, int limit);
  }

  /**
   * A pending notice to a partner that sessions of a person have ended.
   *
   * @param tries number of tries so far
   * @param problem of the last try
   * @param next time of the next try
   * @param giveUpAt time of the last try
   */
  record LogoutView(
      String kind,
      String id,
      String partner,
      String person,
      java.time.Instant since,
      int tries,
      Optional<String> problem,
      java.time.Instant next,
      java.time.Instant giveUpAt) {}

  /** Responses that the gateway stores in memory. */
  non-sealed interface Responses extends AdminResource {

    CacheView statistics(String realm);

    /** Drops all variants of one URL and returns their number; empty if it is not a URL. */
    Optional<Integer> dropUrl(String realm, String url);

    int dropTag(String realm, String tag);

    int dropRoute(String realm, String route);

    int dropAll(String realm);
  }

  /**
   * The content of the cache and the statistics of this node since its start.
   *
   * @param responses of the realm
   * @param bytes of the responses of all realms, including overhead
   * @param memory the limit of {@code bytes}
   * @param evicted responses that were removed for lack of space
   */
  record CacheView(int responses, long bytes, long memory, long hits, long misses, long stored, long evicted) {}

  /** The servers of the apps behind this node. */
  non-sealed interface AppServers extends AdminResource {

    List<UpstreamView> all();

    /** Takes the server out of use, or back into use; returns false if there is no server of that name. */
    boolean drain(String server, boolean wanted);
  }

  /**
   * A server of an app, as this node sees it.
   *
   * @param server host and port
   * @param state {@code up}, {@code out}, {@code on-trial}, {@code down} or {@code draining}
   * @param outstanding running requests
   * @param requests since it was configured
   * @param failures of those, and of attempts to connect
   * @param healthCheck the path of active health checks, if there are any
   */
  record UpstreamView(
      String server,
      String origin,
      String state,
      int outstanding,
      long requests,
      long failures,
      Optional<String> healthCheck) {}

  /** Whether this node is to get no more requests. */
  non-sealed interface NodeDrains extends AdminResource {

    boolean isDraining();

    /** Turns readiness off and moves clients to other nodes, or returns to normal; everything is served meanwhile. */
    void drain(boolean wanted);
  }

  /** Persistent federation of one kind: names given by our idp, or links to local accounts. */
  non-sealed interface Federations extends AdminResource {
    /** Returns {@code names} for names that our idp gave, {@code links} for links from identity providers to local accounts. */
    String kind();

    /** @param after the name of the last one of the page before; empty for the first page */
    List<FederationView> page(String realm, String partner, String after, int limit);

    /** Returns those of the person with that login name or id. */
    List<FederationView> ofPerson(String realm, String person);

    /** Returns the name or link. */
    Optional<FederationView> find(String realm, String partner, String nameId);

    /** Ends a name or link and notifies the partner; empty if there is none. */
    Optional<PartnerNotification> end(String realm, String partner, String nameId, String administrator);

    /**
     * Renews a name or link (SAML Core 3.6.1, NewID). A name gets a new generated value. For a link, the identity provider is
     * notified of the person's name here. The change takes effect once the partner has agreed.
     *
     * @param calledHere for links: the person's name here
     * @return empty if there is none
     */
    Optional<PartnerNotification> renew(
        String realm, String partner, String nameId, Optional<String> calledHere, String administrator);

    /** Federates many people at once; the outcomes are in the order of the lines. */
    List<BulkFederation.Outcome> bulk(String realm, String partner, List<BulkFederation.Line> lines);
  }

  /**
   * The federation of one person with one partner.
   *
   * @param person our id of the person
   * @param nameId the name of the person between the two parties
   * @param spProvidedId the service provider's identifier of the person
   */
  record FederationView(
      String kind,
      String partner,
      String person,
      String nameId,
      Optional<String> spProvidedId,
      java.time.Instant since) {}

  /**
   * The result of notifying a partner.
   *
   * @param problem why it was not notified, or did not agree
   */
  record PartnerNotification(boolean delivered, Optional<String> problem) {}
}
