package dev.gatehouse.perf.saml;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** One cell of S1's table: where sign-on begins, the NameID format, and the bindings of the Response and the logout. */
public record SamlCase(Initiator initiator, Federated federated, Profile profile, Logout logout) {

  /** Where sign-on begins. */
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

  /** For example {@code SP, transient, POST, SOAP logout}. */
  public String name() {
    return initiator + ", " + federated + ", " + profile + ", " + logout + " logout";
  }

  /** The published figure for one server each, in transactions per second. */
  public int published() {
    int[] figures = {202, 170, 178, 152, 172, 158, 158, 146, 206, 172, 181, 155, 173, 163, 153, 148};
    return figures[all().indexOf(this)];
  }

  /** Whether both are the same except for that dimension. */
  public boolean differsOnlyBy(SamlCase other, Dimension dimension) {
    int differences = 0;
    for (Dimension each : Dimension.values()) {
      boolean differs = !each.of(this).equals(each.of(other));
      if (differs && each != dimension) {
        return false;
      }
      differences += differs ? 1 : 0;
    }
    return differences == 1;
  }

  /** The dimensions of the cases. */
  public enum Dimension {
    INITIATOR,
    FEDERATED,
    PROFILE,
    LOGOUT;

    Enum<?> of(SamlCase samlCase) {
      return switch (this) {
        case INITIATOR -> samlCase.initiator();
        case FEDERATED -> samlCase.federated();
        case PROFILE -> samlCase.profile();
        case LOGOUT -> samlCase.logout();
      };
    }
  }
}
