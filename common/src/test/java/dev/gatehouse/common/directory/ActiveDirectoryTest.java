package dev.gatehouse.common.directory;

import static org.assertj.core.api.Assertions.assertThat;

import com.unboundid.ldap.listener.InMemoryDirectoryServer;
import com.unboundid.ldap.listener.InMemoryDirectoryServerConfig;
import com.unboundid.ldap.listener.InMemoryListenerConfig;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedModifyRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchEntry;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSearchRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryInterceptedSimpleBindRequest;
import com.unboundid.ldap.listener.interceptor.InMemoryOperationInterceptor;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import dev.gatehouse.common.directory.Authentication.Accepted;
import dev.gatehouse.common.directory.Authentication.MustChangePassword;
import dev.gatehouse.common.directory.Authentication.Refused;
import dev.gatehouse.common.directory.Authentication.RefusedReason;
import dev.gatehouse.common.realm.DirectoryConfig;
import dev.gatehouse.common.realm.DirectoryConfig.GroupConfig;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Differences between Active Directory and the RFCs, simulated by an in-memory server. */
final class ActiveDirectoryTest {

  private static final String BASE = TestPeople.BASE;

  /** As [MS-DTYP] writes and stores it; its bytes are not UTF-8. */
  private static final String GUID = "3f2504e0-4f89-11d3-9a0c-0305e82c3301";

  private static final byte[] GUID_BYTES = HexFormat.of().parseHex("e004253f894fd3119a0c0305e82c3301");
  private static final int GROUPS = 4_000;
  private static final int PIECE = 1_500;

  private final Behaviour behaviour = new Behaviour();
  private InMemoryDirectoryServer server;
  private LdapDirectory directory;

  @BeforeEach
  void open() throws Exception {
    InMemoryDirectoryServerConfig config = new InMemoryDirectoryServerConfig(BASE);
    config.setSchema(null);
    config.addInMemoryOperationInterceptor(behaviour);
    config.setListenerConfigs(
        InMemoryListenerConfig.createLDAPConfig("ad", InetAddress.getLoopbackAddress(), 0, null));
    server = new InMemoryDirectoryServer(config);
    server.add("dn: " + BASE, "objectClass: domain", "dc: example");
    server.add("dn: ou=groups," + BASE, "objectClass: organizationalUnit", "ou: groups");
    server.add("dn: " + TestPeople.SERVICE, "objectClass: person", "cn: gatehouse", "userPassword: service");
    person("alice", GUID_BYTES, "alice@corp.example");
    byte[] other = GUID_BYTES.clone();
    other[15] = (byte) 0xff;
    person("bob", other, "ceo@corp.example");
    server.startListening();
    directory = new LdapDirectory(config(server.getListenPort()));
  }

  private void person(String name, byte[] guid, String mail) throws LDAPException {
    server.add(
        new Entry(
            "cn=" + name + "," + BASE,
            new Attribute("objectClass", "user"),
            new Attribute("sAMAccountName", name),
            new Attribute("mail", mail),
            new Attribute("userPassword", "demo"),
            new Attribute("objectGUID", guid)));
  }

  private static DirectoryConfig config(int port) {
    DirectoryConfig c = TestPeople.config(port);
    return new DirectoryConfig(
        c.servers(), c.security(), c.trust(), c.bindDn(), c.bindPassword(), new DirectoryConfig.People(BASE,
        "(&(objectClass=user)(sAMAccountName={name}))", "objectGUID", "sAMAccountName",
        Map.of("mail", "mail", "memberOf", "memberOf")),
        new GroupConfig("ou=groups," + BASE, "(member={dn})", "cn", Map.of()), new DirectoryConfig.Pool(c.pool().size(), c.pool().connectTimeout(),
        c.pool().responseTimeout()));
  }

  @AfterEach
  void close() {
    directory.close();
    server.shutDown(true);
  }

  private Person accepted(String name) {
    return ((Accepted) directory.authenticate(name, Password.of("demo"))).person();
  }

  @Test
  void theImmutableIdIsBytesAndReadsAsMicrosoftWritesIt() {
    PersonId alice = accepted("alice").id();
    assertThat(alice).isEqualTo(new PersonId(GUID));
    assertThat(accepted("bob").id()).isNotEqualTo(alice);
    try (LdapDirectory fresh = new LdapDirectory(config(server.getListenPort()))) {
      assertThat(fresh.find(alice).orElseThrow().name()).isEqualTo("alice");
      assertThat(fresh.findBy("objectGUID", GUID)).isInstanceOf(PersonSearch.One.class);
      assertThat(fresh.find(new PersonId("alice"))).isEmpty();
      assertThat(fresh.find(new PersonId("*"))).isEmpty();
      assertThat(fresh.owners(List.of("alice", "ALICE", "nobody")))
          .containsEntry("alice", new NameOwner.One(alice))
          .containsEntry("ALICE", new NameOwner.One(alice))
          .containsEntry("nobody", new NameOwner.None());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "525, UNKNOWN_NAME", "52e, WRONG_PASSWORD", "530, NOT_NOW", "531, NOT_NOW", "533, DISABLED", "701, ACCOUNT_EXPIRED",
    "775, LOCKED", "57, WRONG_PASSWORD", "5250, WRONG_PASSWORD"
  })
  void errorsOfBindsSayWhy(String data, RefusedReason reason) {
    behaviour.bindErrors.put("cn=alice," + BASE, data);
    assertThat(directory.authenticate("alice", Password.of("demo"))).isEqualTo(new Refused(reason));
  }

  @ParameterizedTest
  @CsvSource({"532, true", "773, false"})
  void passwordsThatHaveToBeChangedAreRightOnes(String data, boolean expired) {
    behaviour.bindErrors.put("cn=alice," + BASE, data);
    assertThat(directory.authenticate("alice", Password.of("demo")))
        .isInstanceOfSatisfying(
            MustChangePassword.class,
            must -> {
              assertThat(must.expired()).isEqualTo(expired);
              assertThat(must.person().id()).isEqualTo(new PersonId(GUID));
            });
  }

  @Test
  void manyValuesComePieceByPiece() {
    behaviour.ranged = true;
    assertThat(accepted("alice").attributes().get("memberOf"))
        .hasSize(GROUPS)
        .isEqualTo(IntStream.range(0, GROUPS).mapToObj(Behaviour::group).toList());
  }

  @Test
  void groupsThatComeWithTheEntryAreAllOfThePieces() {
    behaviour.ranged = true;
    DirectoryConfig c = config(server.getListenPort());
    Map<String, List<String>> roles = Map.of("last", List.of("group " + (GROUPS - 1)));
    GroupConfig groups = new GroupConfig(c.groups().baseDn(), c.groups().filter(), "cn", roles, GROUPS, Optional.of("memberOf"));
    DirectoryConfig byMemberOf =
        new DirectoryConfig(c.servers(), c.security(), c.trust(), c.bindDn(), c.bindPassword(), c.people(), groups, c.pool());
    try (LdapDirectory named = new LdapDirectory(byMemberOf)) {
      Person alice = ((Accepted) named.authenticate("alice", Password.of("demo"))).person();
      assertThat(alice.groups()).isEqualTo(IntStream.range(0, GROUPS).mapToObj(i -> "group " + i).toList());
      assertThat(alice.roles()).containsExactly("last");
    }
  }

  /** SECURITY-CASES 71: Active Directory ignores accents, in domains as well. */
  @Test
  void whoIsFoundOnlyBecauseAccentsAreIgnoredIsNotFoundByAnAttribute() {
    behaviour.accentsIgnored = true;
    assertThat(directory.findBy("mail", "CEO@corp.example")).isInstanceOf(PersonSearch.One.class);
    for (String other : List.of("ceo@c\u00f6rp.example", "c\u00e9o@corp.example", "ceo@co\u0301rp.example")) {
      assertThat(directory.findBy("mail", other)).as(other).isEqualTo(new PersonSearch.None());
    }
    assertThat(accepted("al\u00edce").name()).as("a login proves itself by its password").isEqualTo("alice");
    assertThat(directory.owners(List.of("al\u00edce", "bob")).get("al\u00edce"))
        .isEqualTo(new NameOwner.One(new PersonId(GUID)));
  }

  @Test
  void aPasswordIsChangedInUnicodePwdAlsoWhereItIsExpired() {
    Password next = Password.of("n\u00e4chstes");
    assertThat(directory.changePassword("alice", Password.of("demo"), next)).isInstanceOf(PasswordChange.Changed.class);
    behaviour.bindErrors.put("cn=alice," + BASE, "532");
    assertThat(directory.changePassword("alice", Password.of("demo"), Password.of("n\u00e4chstes")))
        .isInstanceOf(PasswordChange.Changed.class);
    assertThat(behaviour.modified)
        .containsOnly(
            Map.entry("DELETE", utf16("\"demo\"")), Map.entry("ADD", utf16("\"n\u00e4chstes\"")));
    behaviour.modifyError = Optional.of("0000052D: SvcErr: DSID-031A1262, problem 5003 (WILL_NOT_PERFORM), data 0");
    assertThat(directory.changePassword("alice", Password.of("demo"), Password.of("x")))
        .isEqualTo(new PasswordChange.NotGoodEnough(PasswordChange.Fault.OTHER, ""));
    behaviour.modifyError = Optional.of("00000056: AtrErr: DSID-03191083, #1:");
    assertThat(directory.changePassword("alice", Password.of("demo"), Password.of("x")))
        .isInstanceOf(PasswordChange.Refused.class);
  }

  private static String utf16(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_16LE));
  }

  /** Answers as Active Directory does. */
  private static final class Behaviour extends InMemoryOperationInterceptor {

    private final Map<String, String> bindErrors = new ConcurrentHashMap<>();
    private final Map<String, String> modified = new ConcurrentHashMap<>();
    private volatile Optional<String> modifyError = Optional.empty();
    private volatile boolean ranged;
    private volatile boolean accentsIgnored;

    private static String group(int i) {
      return "cn=group " + i + ",ou=groups," + BASE;
    }

    @Override
    public void processSimpleBindRequest(InMemoryInterceptedSimpleBindRequest request) throws LDAPException {
      String data = bindErrors.get(request.getRequest().getBindDN());
      if (data != null) {
        throw new LDAPException(
            ResultCode.INVALID_CREDENTIALS,
            "80090308: LdapErr: DSID-0C09056D, comment: AcceptSecurityContext error, data " + data + ", v4563\0");
      }
    }

    @Override
    public void processSearchRequest(InMemoryInterceptedSearchRequest request) throws LDAPException {
      if (accentsIgnored) {
        String filter = request.getRequest().getFilter().toString().replaceAll("\\\\c3\\\\(a9)", "e");
        filter = filter.replaceAll("\\\\c3\\\\(b3|b6)", "o").replaceAll("\\\\c3\\\\ad", "i");
        var asked = request.getRequest().duplicate();
        asked.setFilter(filter);
        request.setRequest(asked);
      }
    }

    @Override
    public void processSearchEntry(InMemoryInterceptedSearchEntry entry) {
      SearchResultEntry found = entry.getSearchEntry();
      if (!ranged || !found.getDN().startsWith("cn=alice,")) {
        return;
      }
      int from =
          Arrays.stream(entry.getRequest().getAttributeList().toArray(String[]::new))
              .filter(name -> name.startsWith("memberOf;range="))
              .map(name -> name.substring(15, name.indexOf('-')))
              .mapToInt(Integer::parseInt)
              .findFirst()
              .orElse(0);
      int to = Math.min(from + PIECE, GROUPS);
      Entry changed = new Entry(found.getDN(), found.getAttributes());
      if (from == 0) {
        changed.addAttribute(new Attribute("memberOf"));
      }
      changed.addAttribute(
          new Attribute(
              "memberOf;range=" + from + "-" + (to == GROUPS ? "*" : to - 1),
              IntStream.range(from, to).mapToObj(Behaviour::group).toArray(String[]::new)));
      entry.setSearchEntry(changed);
    }

    @Override
    public void processModifyRequest(InMemoryInterceptedModifyRequest request) throws LDAPException {
      if (modifyError.isPresent()) {
        throw new LDAPException(ResultCode.CONSTRAINT_VIOLATION, modifyError.get());
      }
      for (Modification change : request.getRequest().getModifications()) {
        assertThat(change.getAttributeName()).isEqualTo("unicodePwd");
        modified.put(change.getModificationType().getName(), HexFormat.of().formatHex(change.getValueByteArrays()[0]));
      }
      var harmless = request.getRequest().duplicate();
      harmless.setModifications(new Modification(com.unboundid.ldap.sdk.ModificationType.REPLACE, "pwdLastSet", "0"));
      request.setRequest(harmless);
    }
  }
}
