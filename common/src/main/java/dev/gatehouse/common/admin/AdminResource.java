package dev.gatehouse.common.admin;

import java.time.Instant;
import dev.gatehouse.common.federation.BulkFederation;
import java.util.List;
import java.util.Optional;

/**
 * What a module offers to administrators. The gateway's admin edge publishes every bean of this type under {@code
 * /admin/v1/}, authenticates, audits and converts to JSON; pages are bounded there.
 */
public sealed interface AdminResource {

  /** Sessions of one kind. */
  non-sealed interface Sessions extends AdminResource {
    /** {@code idp} or {@code app}. */
    String kind();

    List<SessionView> page(String realm, String after, int most);

    /** Sessions of the person with that name or id. */
    List<SessionView> ofPerson(String realm, String person);

    /** Ends it; false where there is none. */
    boolean end(String realm, String session, String administrator);
  }

  /** Routes switched to maintenance, or back, at run time. */
  non-sealed interface Maintenances extends AdminResource {
    /** Empty where the configuration counts. */
    Optional<Switched> find(String realm, String route);

    /** What returned is kept. */
    void set(String realm, String route, Switched how);

    /** Lets the configuration count again; false where it did. */
    boolean clear(String realm, String route);
  }

  /** @param until when it ends by itself */
  record Switched(boolean on, Optional<Instant> until) {}

  /** Second factors of people. */
  non-sealed interface TwoStepLogins extends AdminResource {
    /** What the person with that name or id has; empty where there is nobody. */
    Optional<SecondFactorView> ofPerson(String realm, String person);

    /** Removes all that the person has; false where that is nothing. */
    boolean reset(String realm, String person);

    /**
     * After a loss of second factors: the person, or everybody of the realm, may set one up with a password. False where there
     * is no such person.
     */
    boolean confirm(String realm, Optional<String> person);
  }

  /** What people have stored for the login forms of apps: names only. */
  non-sealed interface StoredSecrets extends AdminResource {
    /** @param person as in the person's sessions at the gateway */
    List<AppSecretView> ofPerson(String realm, String person);

    /** Removes all for that app; false where that is nothing. */
    boolean remove(String realm, String person, String app, String administrator);
  }

  /** That something is stored for an app. */
  record AppSecretView(String app, String name, Instant changedAt) {}

  /** OAuth clients that registered at run time; configured ones are not among them. */
  non-sealed interface RegisteredClients extends AdminResource {
    /** @param after the ID of the last one of the page before; empty for the first page */
    List<ClientView> page(String realm, String after, int most);

    /** Removes it, and with it all that was issued to it; false where there is none. */
    boolean remove(String realm, String clientId);
  }

  /**
   * A client as it registered.
   *
   * @param registeredBy the name of the initial access token, or {@code loopback}
   */
  record ClientView(
      String clientId, Optional<String> name, List<String> redirectUris, String registeredBy, Instant registeredAt) {}

  /**
   * The second factor of a person.
   *
   * @param person the directory's id
   * @param recoveryCodes that are left
   */
  record SecondFactorView(String person, String name, List<AuthenticatorApp> apps, int recoveryCodes) {
    /** An authenticator app. */
    public record AuthenticatorApp(String label, Instant createdAt, Optional<Instant> usedAt) {}
  }

  /**
   * A session as administrators see it; nothing here lets anybody into it.
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

  /** Logouts that partners have yet to hear of, from server to server. */
  non-sealed interface Logouts extends AdminResource {
    /** {@code idp} or {@code app}: who tells. */
    String kind();

    /** How many wait. */
    long count(String realm);

    List<LogoutView> page(String realm, String after, int most);
  }

  /**
   * A partner that has yet to hear that sessions of a person have ended.
   *
   * @param tries that were made
   * @param problem of the last try
   * @param next when it is tried again
   * @param giveUpAt when it is tried for the last time
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

  /** Responses that the gateway keeps in memory. */
  non-sealed interface Responses extends AdminResource {

    CacheView statistics(String realm);

    /** Drops all variants of one URL and says how many; empty where it is no URL. */
    Optional<Integer> dropUrl(String realm, String url);

    int dropTag(String realm, String tag);

    int dropRoute(String realm, String route);

    int dropAll(String realm);
  }

  /**
   * What is kept, and how the cache of this node did since its start.
   *
   * @param responses of the realm
   * @param bytes that those of all realms take, with what it costs to keep them
   * @param memory the bound of {@code bytes}
   * @param evicted responses that went for want of room
   */
  record CacheView(int responses, long bytes, long memory, long hits, long misses, long stored, long evicted) {}

  /** The servers of the apps behind this node. */
  non-sealed interface AppServers extends AdminResource {

    List<UpstreamView> all();

    /** Takes it out, or lets it back in; false where none is called so. */
    boolean drain(String server, boolean wanted);
  }

  /**
   * A server of an app, as this node sees it.
   *
   * @param server host and port
   * @param state {@code up}, {@code out}, {@code on-trial}, {@code down} or {@code draining}
   * @param outstanding requests that run on it
   * @param requests since it is configured
   * @param failures of those, and of attempts to connect
   * @param healthCheck the path that is asked, where one is
   */
  record UpstreamView(
      String server,
      String origin,
      String state,
      int outstanding,
      long requests,
      long failures,
      Optional<String> healthCheck) {}

  /** Persistent federation of one kind: what lasts between people and partners. */
  non-sealed interface Federations extends AdminResource {
    /** {@code names}: given by our idp to service providers; {@code links}: from identity providers' to local accounts. */
    String kind();

    /** @param after the name of the last one of the page before; empty for the first page */
    List<FederationView> page(String realm, String partner, String after, int most);

    /** Those of the person with that login name or id. */
    List<FederationView> ofPerson(String realm, String person);

    /** Ends one and tells the partner; empty where there is none. */
    Optional<Telling> end(String realm, String partner, String nameId, String administrator);

    /**
     * Has one renewed (SAML Core 3.6.1, NewID): a name gets another value, which is made; of a link, the identity provider is
     * told what the person is called here. It counts once the partner has agreed.
     *
     * @param calledHere for links: what the person is called
     * @return empty where there is none
     */
    Optional<Telling> renew(
        String realm, String partner, String nameId, Optional<String> calledHere, String administrator);

    /** Federates many people at once; the outcomes are in the order of the lines. */
    List<BulkFederation.Outcome> bulk(String realm, String partner, List<BulkFederation.Line> lines);
  }

  /**
   * One person and one partner.
   *
   * @param person ours, by id
   * @param nameId what stands for the person between the two
   * @param spProvidedId what the service provider calls the person
   */
  record FederationView(
      String kind,
      String partner,
      String person,
      String nameId,
      Optional<String> spProvidedId,
      java.time.Instant since) {}

  /** What came of telling a partner. @param problem why it was not told, or did not agree */
  record Telling(boolean told, Optional<String> problem) {}
}
