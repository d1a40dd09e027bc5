package dev.gatehouse.common.faults;

/** The entries of the directory of a site with slapd. */
final class People {

  static final String LDIF =
      """
      dn: dc=example,dc=org
      objectClass: dcObject
      objectClass: organization
      dc: example
      o: example

      dn: ou=people,dc=example,dc=org
      objectClass: organizationalUnit
      ou: people

      dn: ou=groups,dc=example,dc=org
      objectClass: organizationalUnit
      ou: groups

      dn: uid=alice,ou=people,dc=example,dc=org
      objectClass: inetOrgPerson
      uid: alice
      cn: Alice Archer
      sn: Archer
      mail: alice@example.org
      userPassword: demo
      entryUUID: 5f2b1d58-8d0c-4b6e-9d52-0c3f4b1c0101
      """;

  private People() {}
}
