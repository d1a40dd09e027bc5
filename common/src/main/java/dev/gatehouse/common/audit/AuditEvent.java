package dev.gatehouse.common.audit;

import dev.gatehouse.common.request.RequestId;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * An event: what happened, to whom, from where, and why. Values are identifiers and reasons; never a token, a password or a whole
 * message. The log adds the time.
 */
public sealed interface AuditEvent {

  Context context();

  /**
   * The context of an event.
   *
   * @param realm the realm's name, or {@code -} for the node itself
   * @param client the client's address, or {@code -}
   * @param reference the id of the request, which the person or partner received as the reference; empty outside of requests
   */
  record Context(String realm, String client, Optional<String> reference) {

    /** The context of the request that this thread works on. */
    public static Context of(String realm, java.net.InetAddress client) {
      return new Context(realm, client.getHostAddress(), RequestId.current());
    }

    public static Context node() {
      return new Context("-", "-", Optional.empty());
    }

    public Context withReference(String id) {
      return new Context(realm, client, Optional.of(id));
    }
  }

  /**
   * A login at the idp, or at the gateway itself.
   *
   * @param contract {@code password}, {@code direct}; {@code basic} and {@code certificate}
   */
  record LoginSucceeded(Context context, String person, String name, String contract, String session) implements AuditEvent {}

  record LoginRefused(Context context, String name, String contract, String reason) implements AuditEvent {}

  record PasswordChanged(Context context, String person, String name) implements AuditEvent {}

  /**
   * A person's second factor changed.
   *
   * @param change {@code enrolled}, {@code removed}, {@code reset} and {@code confirmed} (by an administrator), {@code
   *     recovery-codes-made}, {@code recovery-code-used}
   */
  record SecondFactorChanged(Context context, String person, String name, String change) implements AuditEvent {}

  /**
   * A person's passkey changed.
   *
   * @param change {@code enrolled}, {@code confirmed}, {@code removed}, {@code reset} (by an administrator), {@code backed-up}, {@code
   *     backup-ended}, {@code copied} (its counter did not grow)
   */
  record PasskeyChanged(Context context, String person, String change) implements AuditEvent {}

  /**
   * A passcode of a token was decided about, whichever way it came in.
   *
   * @param name as typed
   * @param by the way in: {@code login}, or the name of the client that passed it on
   * @param outcome {@code accepted}, {@code refused}, {@code challenged}, {@code offline}, {@code offline-days}
   * @param detail the token's serial number, the reason or the question
   */
  record PasscodeDecided(Context context, String name, String by, String outcome, String detail) implements AuditEvent {}

  /**
   * A passcode of another realm's person was decided about at their home, or could not be. The home's log has the reference, too.
   *
   * @param name as typed; of an accepted visitor, the name that they have here
   * @param by the client that passed the passcode on
   * @param home the name of the realm, or of several that know the name
   * @param outcome {@code accepted}, {@code refused}, {@code challenged}
   * @param detail the visitor's id here, the reason or the question
   */
  record VisitorDecided(Context context, String name, String by, String home, String outcome, String detail) implements AuditEvent {}

  /**
   * Another realm asked whether we know somebody, or about a passcode, before that is decided about under the same reference.
   *
   * @param by the realm that asked
   * @param visit the reference in its own log: it could choose one of ours, so that it stands apart
   * @param outcome {@code known}, {@code unknown} or {@code passcode}
   */
  record VisitorSought(Context context, String name, String by, String visit, String outcome) implements AuditEvent {}

  /**
   * A token, or what is stored about its person, changed.
   *
   * @param token serial number, or {@code -}
   * @param person our id of the person, or {@code -}
   * @param change {@code imported}, {@code enrolled} (by the person), {@code assigned}, {@code unassigned}, {@code enabled}, {@code disabled}, {@code lost}, {@code found},
   *     {@code resynchronised}, {@code replaced}, {@code removed}, {@code pin-set}, {@code pin-cleared}, {@code unlocked}, {@code
   *     temporary-password}, {@code emergency-codes}
   */
  record TokenChanged(Context context, String token, String person, String change) implements AuditEvent {}

  /**
   * The register of people who may have tokens was compared with the directory, to change it.
   *
   * @param by the administrator, or {@code schedule}
   * @param outcome {@code BEGUN} with what is to be done; {@code DONE}, {@code INTERRUPTED} or {@code FAILED} with what was done; or the reason
   *     for which nothing was changed
   * @param changed also people who moved or returned
   * @param tokens that were taken back
   */
  record PeopleSynchronised(Context context, String by, String outcome, long added, long changed, long gone, long tokens) implements AuditEvent {}

  /**
   * A person, or somebody under a person's name, asked for a link for a new password.
   *
   * @param name as typed
   * @param outcome {@code mailed}; {@code UNKNOWN_NAME}, {@code NO_ADDRESS}, {@code TOO_SOON} or {@code DIRECTORY_UNAVAILABLE}: none was
   *     sent
   */
  record PasswordResetRequested(Context context, String name, String outcome) implements AuditEvent {}

  /** Data about a person were exported, by the person or an administrator. */
  record PersonDataExported(Context context, String person, String by) implements AuditEvent {}

  /**
   * What is stored about a person was removed.
   *
   * @param person the person's id; the name is not kept
   * @param removed numbers of entries by kind
   */
  record PersonDataErased(Context context, String person, String by, Map<String, Integer> removed) implements AuditEvent {}

  /**
   * A mail could not be delivered and is not tried again.
   *
   * @param person the recipient, or {@code -} for administrators
   * @param kind the name of its text
   * @param reason {@code NO_ADDRESS}, {@code TOO_LATE}, {@code UNREADABLE}, or the mail server's reply
   */
  record MailGivenUp(Context context, String person, String kind, String reason) implements AuditEvent {}

  /** Our idp signed an assertion. */
  record AssertionIssued(Context context, String person, String partner, String assertion, String session)
      implements AuditEvent {}

  /**
   * A person granted an authorization to an OAuth client.
   *
   * @param partner the client's ID
   * @param scopes separated by spaces
   * @param how {@code code}, {@code token} (at the authorization endpoint), {@code device}
   */
  record AuthorizationGranted(
      Context context, String person, String partner, String authorization, String scopes, String how)
      implements AuditEvent {}

  /**
   * A person denied an authorization to an OAuth client.
   *
   * @param partner the client's ID
   */
  record AuthorizationDenied(Context context, String person, String partner) implements AuditEvent {}

  /**
   * A person gave or withdrew consent to the release of their data to a partner.
   *
   * @param attributes names, separated by commas
   */
  record ConsentChanged(Context context, String person, String partner, boolean given, String attributes)
      implements AuditEvent {}

  /** Our sp accepted an assertion and opened an AppSession. */
  record AssertionAccepted(Context context, String partner, String assertion, String person, String session)
      implements AuditEvent {}

  /**
   * A message from a partner or a browser was refused.
   *
   * @param reason the name of the check or of the refusal
   */
  record MessageRefused(Context context, String partner, String message, String reason) implements AuditEvent {}

  /**
   * A session ended.
   *
   * @param cause {@code logout}, {@code partner}, {@code administrator}, {@code account}, {@code expired}, {@code replaced},
   *     {@code password changed}, {@code person gone}, {@code unlinked}
   */
  record SessionEnded(Context context, String kind, String session, String person, String cause) implements AuditEvent {}

  /**
   * A browser bound its session to a key.
   *
   * @param kind {@code dbsc} or {@code web_crypto}; {@code keyless} if it can hold no key, so that only its fingerprint counts
   */
  record DeviceBound(Context context, String session, String person, String kind) implements AuditEvent {}

  /**
   * A session was used elsewhere than at the device of its login, or a proof of its key was refused.
   *
   * @param reason of a closed list
   * @param outcome {@code observed}, {@code refused}
   */
  record DeviceDiffers(Context context, String session, String person, String reason, String outcome) implements AuditEvent {}

  /**
   * A partner was notified of a logout, or could not be notified.
   *
   * @param outcome {@code done}, {@code asked} (by a page that cannot confirm), {@code failed}, {@code unreachable}; if the back channel
   *     continued to try after one of the last two, later {@code done} or {@code given-up}
   */
  record LogoutPropagated(Context context, String partner, String person, String outcome) implements AuditEvent {}

  /**
   * A persistent name, or a link to one, was created, changed or ended.
   *
   * @param person our id of the person
   * @param change {@code linked}, {@code terminated}, {@code changed} (the name itself) or {@code provided} (the service provider's
   *     identifier of the person)
   * @param by {@code person}, {@code partner}, {@code administrator}, {@code login} or {@code attribute}
   */
  record FederationChanged(Context context, String partner, String person, String change, String by)
      implements AuditEvent {}

  /**
   * Our idp issued tokens to a client.
   *
   * @param partner the client's ID
   * @param grant the grant used
   * @param person the person, or {@code -} for the client itself
   * @param token ID of the access token
   * @param scopes separated by spaces
   */
  record TokensIssued(Context context, String partner, String grant, String person, String token, String scopes)
      implements AuditEvent {}

  /** A client revoked one access token. */
  record TokenRevoked(Context context, String partner, String person, String token) implements AuditEvent {}

  /**
   * A person's authorization of a client ended, with every token issued under it.
   *
   * @param cause {@code revoked} (by the client), {@code replayed} (a code or refresh token was used twice), {@code account}, {@code
   *     password changed}, {@code person gone}
   */
  record AuthorizationEnded(Context context, String partner, String person, String authorization, String cause)
      implements AuditEvent {}

  /** The gateway denied a request. */
  record AccessDenied(Context context, String person, String route, String reason) implements AuditEvent {}

  /** An administrator did something through the REST API or the command line. */
  record Administered(Context context, String administrator, String action, Map<String, String> details)
      implements AuditEvent {}

  /** Configuration or partner metadata was taken over or rejected. */
  record ConfigurationChanged(Context context, String what, String revision, boolean accepted, String detail)
      implements AuditEvent {}

  /**
   * The generation of the installation was raised.
   *
   * @param installation its identity
   * @param change {@code started}, {@code recovered}, {@code restored}, {@code moved} to other stores, {@code backed-up} (which raises nothing)
   * @param detail which stores were replaced, which deployment was moved, or where the backup is
   */
  record InstallationChanged(Context context, String installation, long generation, String change, String detail)
      implements AuditEvent {}

  /**
   * A shared store did not answer the node, or answers again.
   *
   * @param store {@code valkey}
   * @param change {@code lost}, {@code back}
   * @param served how many requests were served meanwhile by sessions that nobody confirmed
   * @param detail why the store was not used
   */
  record SharedStoreOutage(Context context, String store, String change, long served, String detail) implements AuditEvent {}

  /**
   * A server of one-time passwords became something else.
   *
   * @param server its name
   * @param change {@code nominated} or {@code replaced} as the primary, {@code outdated} as a replica of a former one, {@code behind} the
   *     primary or {@code caught-up}, {@code isolated} from the store of all servers, {@code rejoined} or {@code compared-late}
   * @param detail the primary that it is about, and its epoch; how many marks were compared too late
   */
  record OtpServerChanged(Context context, String server, String change, String detail) implements AuditEvent {}

  /**
   * A code was found to have counted at two servers of one-time passwords, one of which was isolated.
   *
   * @param token serial number
   * @param server the one that was isolated
   * @param at when it counted there
   * @param certainty {@code yes}, or {@code perhaps} if the server ended while it compared
   */
  record CodeCountedTwice(Context context, String token, String server, Instant at, String certainty) implements AuditEvent {}

  /**
   * A signed statement about the events so far was written.
   *
   * @param upTo the number of the last event that it covers
   * @param checkpoint the statement, a compact JWS
   */
  record CheckpointSigned(Context context, long upTo, String checkpoint) implements AuditEvent {}

  /**
   * A certificate in a partner's metadata is about to expire.
   *
   * @param days largest number of days left; 0 if it has expired
   */
  record CertificateExpiring(Context context, String partner, String certificate, Instant expiresAt, int days)
      implements AuditEvent {}

  /**
   * An OAuth client registered at run time, or changed or removed its registration.
   *
   * @param change {@code registered}, {@code changed}, {@code removed}
   * @param by the name of the initial access token, {@code loopback}, {@code client} or an administrator
   */
  record ClientChanged(Context context, String clientId, String change, String by) implements AuditEvent {}

  /**
   * A client of RADIUS reported a session, or its own start or stop.
   *
   * @param partner the client's name
   * @param name the person's name as the client says, or {@code -}
   * @param status {@code start}, {@code stop}; {@code on}, {@code off} of the client itself
   * @param session the client's identifier of the session, or {@code -}
   * @param details what the client says of it: {@code seconds}, {@code received} and {@code sent} bytes, {@code cause}, {@code place}
   */
  record AccountingReceived(
      Context context, String partner, String name, String status, String session, Map<String, String> details)
      implements AuditEvent {}

  /**
   * A person's secrets for the login form of an app changed; the event does not contain the values.
   *
   * @param change {@code stored}, {@code removed}
   * @param by {@code person} or an administrator
   */
  record AppSecretsChanged(Context context, String person, String app, String change, String by)
      implements AuditEvent {}
}
