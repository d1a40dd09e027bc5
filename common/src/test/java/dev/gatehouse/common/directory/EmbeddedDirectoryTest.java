package dev.gatehouse.common.directory;

final class EmbeddedDirectoryTest extends DirectoryContract {
  @Override
  TestDirectoryServer start() {
    return EmbeddedDirectory.start(TestPeople.LDIF);
  }
}
