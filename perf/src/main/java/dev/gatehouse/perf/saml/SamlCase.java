package dev.gatehouse.perf.saml;

import dev.gatehouse.perf.server.Federation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** One cell of S1's table: where sign-on begins, the NameID format, and the bindings of the Response and the logout. */
public record SamlCase(Initiator initiator, Federated federated, Profile profile, Logout logout) {

  /** The side at which sign-on begins. */
  public enum Initiator {
    SP,
    IDP;

    @Override
    public String toString() {
      return this == SP ? "SP" : "IdP";
    }
  }

  /** The NameID format; persistent ones were federated in bulk before, and linked to an account of the SP. */
  public enum Federated {
    TRANSIENT,
    PERSISTENT;

    @Override
    public String toString() {
      return this == TRANSIENT ? "transient" : "persistent";
    }
  }

  /** The binding of the Response. */
  public enum Profile {
    POST,
    ARTIFACT;

    @Override
    public String toString() {
      return this == POST ? "POST" : "Artifact";
    }
  }

  /** The binding of the logout, from the SP to the IdP. */
  public enum Logout {
    HTTP,
    SOAP
  }

  /** All sixteen cases, in the order of S1's table. */
  public static List<SamlCase> all() {
    List<SamlCase> all = new ArrayList<>();
    for (Initiator initiator : Initiator.values()) {
      for (Federated federated : Federated.values()) {
        for (Profile profile : Profile.values()) {
          for (Logout logout : Logout.values()) {
            all.add(new SamlCase(initiator, federated, profile, logout));
          }
        }
      }
    }
    return List.copyOf(all);
  }

  /** The realm of the case on both nodes; two cases share one, because the initiator needs no setting. */
  public String realm() {
    return (federated + "-" + profile + "-" + logout).toLowerCase(Locale.ROOT);
  }

  /** The setup of both nodes for this case. */
  public Federation.Setup setup() {
    String nameId = federated.toString();
    boolean persistent = federated == Federated.PERSISTENT;
    return new Federation.Setup(
        realm(),
        Map.of("nameId", nameId),
        Map.of(
            "requestNameId", nameId,
            "link", persistent ? "login" : "none",
            "response", profile.name().toLowerCase(Locale.ROOT),
            "logout", logout == Logout.SOAP ? "soap" : "front"),
        persistent);
  }

  /** The last step, whose successes count as transactions. */
  public String transaction() {
    return logout + " Logout";
  }

  /** For example {@code SP, transient, POST, SOAP logout}. */
  public String name() {
    return initiator + ", " + federated + ", " + profile + ", " + logout + " logout";
  }

  /** The published figure for one server each, in transactions per second. */
  public int published() {
    int[] figures = {202, 170, 178, 152, 172, 158, 158, 146, 206, 172, 181, 155, 173, 163, 153, 148};
    return figures[all().indexOf(this)];
  }

  /** Returns whether both are the same except for that dimension. */
  boolean differsOnlyBy(SamlCase other, Dimension dimension) {
    return Arrays.stream(Dimension.values())
        .allMatch(each -> (each == dimension) != each.of.apply(this).equals(each.of.apply(other)));
  }

  /** The dimensions of the cases. */
  enum Dimension {
    INITIATOR(SamlCase::initiator),
    FEDERATED(SamlCase::federated),
    PROFILE(SamlCase::profile),
    LOGOUT(SamlCase::logout);

    private final Function<SamlCase, Enum<?>> of;

    Dimension(Function<SamlCase, Enum<?>> of) {
      this.of = of;
    }
  }
}
