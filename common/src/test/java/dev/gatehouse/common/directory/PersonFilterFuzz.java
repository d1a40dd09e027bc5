package dev.gatehouse.common.directory;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Any typed name is a value in the filter and never a part of its syntax (RFC 4515, section 3). */
public final class PersonFilterFuzz {

  private static final PersonFilter FILTER = new PersonFilter("(&(objectClass=person)(uid={name}))");

  private PersonFilterFuzz() {}

  public static void fuzzerTestOneInput(byte[] bytes) throws LDAPException {
    String name = new String(bytes, StandardCharsets.UTF_8);
    Filter[] parts = FILTER.ofName(name).getComponents();
    boolean literal =
        parts.length == 2
            && parts[1].getFilterType() == Filter.FILTER_TYPE_EQUALITY
            && name.equals(parts[1].getAssertionValue());
    if (!name.isEmpty() && !name.contains("{name}") && !literal) {
      throw new IllegalStateException("became a part of the filter");
    }
  }

  public static List<byte[]> seeds() {
    return List.of(
        "alice".getBytes(StandardCharsets.UTF_8),
        "*)(uid=*))(|(uid=*".getBytes(StandardCharsets.UTF_8),
        "Zoë \\2a\u0000".getBytes(StandardCharsets.UTF_8));
  }
}
