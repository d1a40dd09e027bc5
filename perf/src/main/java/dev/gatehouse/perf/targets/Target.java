package dev.gatehouse.perf.targets;

/**
 * The targets by which Gatehouse is judged. Each target names the figure of {@code bench all} that it is compared with.
 *
 * <p>Costs are those of our own processes. What a persistent name costs more has the directory in it, as the figure of before has.
 */
public enum Target {
  TRANSACTION(
      "S1 transaction, transient, POST, HTTP logout: idp and sp", "s1.sp.transient.post.http", new Reading.Cost(), "5.3 ms", 3.5, 2.5,
      "0532-where-the-time-of-a-login-goes"),
  PERSISTENT(
      "persistent more than transient, slapd included", "s1.persistent-difference", new Reading.Amount("ms"), "1.2 ms", 0.3, 0.1,
      "0579-groups-come-with-the-entry-where-it-has-them"),
  CODE("code with login, ES256", "s3.code", new Reading.Cost(), "1.09 ms", 0.7, 0.5, "0637-a-code-with-login-is-flat"),
  PASSWORD("password grant, ES256", "s3.password", new Reading.Cost(), "0.59 ms", 0.45, 0.35, "0637-a-code-with-login-is-flat"),
  CODE_BESIDE_KEYCLOAK(
      "code with login, against Keycloak", "s3.code", new Reading.Times("Keycloak"), "3.3 x", 5, 8, "0637-a-code-with-login-is-flat"),
  PASSWORD_BESIDE_KEYCLOAK(
      "password grant, against Keycloak", "s3.password", new Reading.Times("Keycloak"), "3.3 x", 5, 8,
      "0637-a-code-with-login-is-flat"),
  FORM_LOGIN("form login through the gateway (S2)", "s2.login.form", new Reading.Cost(), "2.4 to 2.9 ms", 1.8, 1.2,
      "0625-a-login-by-form-misses-its-aim"),
  SIGN_ON_RSA(
      "signed Response over HTTP, RSA-2048: share of the bare signature", "beside.sso.rsa", new Reading.Share("bare signature, rsa-2048"),
      "54 %", 0.6, 0.7, "0636-a-sign-on-is-spread-over-many-places"),
  SIGN_ON_P256(
      "signed Response over HTTP, P-256", "beside.sso.p256", new Reading.Rate(), "4,681 a CPU second", 5_500, 8_000,
      "0636-a-sign-on-is-spread-over-many-places"),
  PUBLIC_PAGE(
      "page of 14 KB from the cache, of nginx", "beside.public-page", new Reading.Share("nginx"), "95 %", 1.0, 1.1,
      "0627-the-kernel-has-two-thirds-of-a-page"),
  PROTECTED_PAGE(
      "the same page, protected, of nginx", "beside.protected-page", new Reading.Share("nginx"), "89 %", 0.92, 1.0,
      "0627-the-kernel-has-two-thirds-of-a-page"),
  PASS_THROUGH(
      "pass-through, of nginx", "beside.pass-through", new Reading.Share("nginx"), "93 %", 0.97, 1.05,
      "0627-the-kernel-has-two-thirds-of-a-page"),
  EXTRANET_BY_SESSION(
      "AuthMark Extranet by session, of nginx", "s5.session", new Reading.Share("nginx"), "81 %", 0.85, 0.95,
      "0627-the-kernel-has-two-thirds-of-a-page"),
  EXTRANET_BY_PASSWORD(
      "AuthMark Extranet by password each time, of nginx", "s5.password", new Reading.Share("nginx"), "74 %", 0.82, 0.9,
      "0627-the-kernel-has-two-thirds-of-a-page"),
  WARM_SIGN_ON("from start to 80 % of the steady rate: signed Response", "warm.up.sign-on", new Reading.Amount("s"), "", 15, 15,
      "0626-logins-are-warm-after-half-a-minute"),
  WARM_CODE("the same: code with a session", "warm.up.code-with-session", new Reading.Amount("s"), "", 15, 15,
      "0626-logins-are-warm-after-half-a-minute"),
  WARM_PASS_THROUGH("the same: pass-through", "warm.up.pass-through", new Reading.Amount("s"), "", 15, 15, ""),
  IDLE_DEMO(
      "the demo, idle: resident", "memory.demo", new Reading.Amount("MB"), "438 MB", 300, 300, "0292-the-demo-has-a-small-heap"),
  MILLION_SESSIONS(
      "an identity provider with 1,000,000 sessions: resident", "memory.million", new Reading.Amount("MB"), "", 512, 512,
      "0594-a-node-has-two-arenas");

  /** How far a measured value comes. */
  public enum Met {
    AIM("aim"),
    LEAST("at least"),
    MISSED("missed");

    private final String word;

    Met(String word) {
      this.word = word;
    }

    public String word() {
      return word;
    }
  }

  private final String work;
  private final String figure;
  private final Reading reading;
  private final String before;
  private final double least;
  private final double aim;
  private final String decision;

  /**
   * @param before at commit b08d078, as it was measured then; empty if it was not
   * @param least what has to be reached: at most, where less is better
   * @param decision the file that says what bounds it, without ending; empty for none
   */
  Target(String work, String figure, Reading reading, String before, double least, double aim, String decision) {
    this.work = work;
    this.figure = figure;
    this.reading = reading;
    this.before = before;
    this.least = least;
    this.aim = aim;
    this.decision = decision;
  }

  public String work() {
    return work;
  }

  /** The id of a line of {@code figures.txt}. */
  public String figure() {
    return figure;
  }

  public Reading reading() {
    return reading;
  }

  public String before() {
    return before;
  }

  public double least() {
    return least;
  }

  public double aim() {
    return aim;
  }

  public String decision() {
    return decision;
  }

  /** A value with its unit. */
  public String text(double value) {
    return reading.text(value);
  }

  /** In words: {@code at most 3.5 ms, aim 2.5 ms}. */
  public String wanted() {
    String bound = (reading.lessIsBetter() ? "at most " : "at least ") + text(least);
    return least == aim ? bound : bound + ", aim " + text(aim);
  }

  public Met met(double now) {
    return reaches(now, aim) ? Met.AIM : reaches(now, least) ? Met.LEAST : Met.MISSED;
  }

  private boolean reaches(double now, double bound) {
    return reading.lessIsBetter() ? now <= bound : now >= bound;
  }
}
