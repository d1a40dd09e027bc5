package dev.gatehouse.common.page;

final class CommonPageTemplatesTest extends PageTemplatesContract {
  CommonPageTemplatesTest() {
    super("common");
  }
}
