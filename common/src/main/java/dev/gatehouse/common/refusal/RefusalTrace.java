package dev.gatehouse.common.refusal;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A refused request. Holds no query, no value of a header and no secret; texts that come from outside are cut at {@value #LONGEST}
 * characters, and lists at {@value #MOST} entries.
 *
 * @param requestId the reference of the error page
 * @param realm or {@code -}
 * @param subject empty if nobody was recognised
 * @param decision of the route's rule, if it was asked
 * @param assertion of a refused login
 * @param upstream the app's server that was asked last
 */
public record RefusalTrace(
    String requestId,
    Instant at,
    String realm,
    Asked asked,
    Refused refused,
    Optional<Subject> subject,
    Optional<Decided> decision,
    Optional<Assertion> assertion,
    Optional<Upstream> upstream) {

  static final int LONGEST = 400;
  static final int MOST = 40;

  /**
   * The request.
   *
   * @param origin scheme, host and port; empty if it is not known
   * @param path without the query
   * @param client the client's address
   * @param route or {@code -}
   */
  public record Asked(String method, String origin, String path, String client, String route) {
    public Asked {
      method = cut(method);
      origin = cut(origin);
      path = cut(path);
      route = cut(route);
    }
  }

  /**
   * The answer.
   *
   * @param status 0 if the endpoint chose it after the refusal was recorded
   * @param reason from a closed list
   * @param message the refused message, for example {@code Response}; {@code -} for a request to an app
   * @param partner that sent the message, or {@code -}
   * @param detail which check failed on what; may be empty
   */
  public record Refused(int status, String reason, String message, String partner, String detail) {
    public Refused {
      reason = cut(reason);
      message = cut(message);
      partner = cut(partner);
      detail = cut(detail);
    }
  }

  /**
   * The person who asked.
   *
   * @param person the id in the audit log
   * @param user the name that apps see; empty if it is not known
   * @param session the session's id, which gives no access; empty without a session
   * @param provider that logged the person in; empty if it is not known
   */
  public record Subject(
      String person, String user, String session, String provider, List<String> roles, Optional<String> authnContext) {
    public Subject {
      person = cut(person);
      user = cut(user);
      provider = cut(provider);
      roles = cut(roles);
      authnContext = authnContext.map(RefusalTrace::cut);
    }
  }

  /**
   * The decision of the route's rule.
   *
   * @param result {@code permit}, {@code challenge} or {@code deny}
   * @param policy or {@code -} if the route itself decided
   * @param rules of the route's policies, with the conditions of each
   * @param headers names of the fields that the app would get or got
   */
  public record Decided(String result, String policy, String rule, List<Rule> rules, List<String> headers) {
    public Decided {
      policy = cut(policy);
      rule = cut(rule);
      rules = rules.stream().limit(MOST).toList();
      headers = cut(headers);
    }
  }

  /**
   * A rule of a policy.
   *
   * @param effect {@code permit} or {@code deny}
   * @param conditions each as its text in the configuration, with {@code yes} or {@code no} before it
   */
  public record Rule(String policy, String rule, String effect, boolean held, List<String> conditions) {
    public Rule {
      policy = cut(policy);
      rule = cut(rule);
      conditions = cut(conditions);
    }
  }

  /**
   * The assertion of a login, as far as it was read.
   *
   * @param inResponseTo the request that it answers; empty if it names none
   */
  public record Assertion(
      String issuer,
      String id,
      Instant issueInstant,
      Optional<Instant> notBefore,
      Optional<Instant> notOnOrAfter,
      List<String> audiences,
      Optional<String> inResponseTo,
      Optional<String> authnContext) {
    public Assertion {
      issuer = cut(issuer);
      id = cut(id);
      audiences = cut(audiences);
      inResponseTo = inResponseTo.map(RefusalTrace::cut);
      authnContext = authnContext.map(RefusalTrace::cut);
    }
  }

  /** The app's server that answered or failed, and its time. */
  public record Upstream(String server, long millis) {}

  private static String cut(String text) {
    return text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text;
  }

  private static List<String> cut(List<String> texts) {
    return texts.stream().limit(MOST).map(RefusalTrace::cut).toList();
  }
}
