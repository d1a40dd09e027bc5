package dev.gatehouse.common.directory;

final class SlapdTest extends DirectoryContract {
  @Override
  TestDirectoryServer start() {
    return Slapd.start(TestPeople.LDIF);
  }
}
