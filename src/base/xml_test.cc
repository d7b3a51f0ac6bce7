#include "base/xml.h"

#include <gtest/gtest.h>

#include "base/testing/xml.h"

namespace replicator {
namespace {

TEST(XmlFault, FindsWhatIsWrong) {
  EXPECT_EQ(XmlFault("<a b=\"c\"><d/>x &lt; y</a>\n"), "");
  for (const char* wrong : {"", "<a>", "</a>", "<a></b>", "<a b=c/>", "<a>&</a>", "<a><b></a></b>", "<a/><a/>", "x",
                            "<a b=\"1\" b=\"2\"/>", "<a b=\"<\"/>"}) {
    EXPECT_NE(XmlFault(wrong), "") << wrong;
  }
}

TEST(EscapeXml, MakesAnyBytesText) {
  EXPECT_EQ(EscapeXml("a<b> & \"c\"\t1\n"), "a&lt;b&gt; &amp; &quot;c&quot;\t1\n");
  EXPECT_EQ(EscapeXml({"\0\x1f\x7f", 3}), "??\x7f");
  EXPECT_EQ(EscapeXml("na\xc3\xafve \xe2\x88\x92 \xf0\x9f\x98\x80"), "na\xc3\xafve \xe2\x88\x92 \xf0\x9f\x98\x80");
  const std::string bad = "\xef\xbf\xbd";
  EXPECT_EQ(EscapeXml("\xc3"), bad);                                // ends early
  EXPECT_EQ(EscapeXml("\xc3<"), bad + "&lt;");                      // goes on wrongly
  EXPECT_EQ(EscapeXml("\x80x\xff"), bad + "x" + bad);               // no first bytes
  EXPECT_EQ(EscapeXml("\xc0\xaf"), bad + bad);                      // overlong
  EXPECT_EQ(EscapeXml("\xe0\x80\xaf"), bad + bad + bad);            // overlong
  EXPECT_EQ(EscapeXml("\xed\xa0\x80"), bad + bad + bad);            // a surrogate
  EXPECT_EQ(EscapeXml("\xf4\x90\x80\x80"), bad + bad + bad + bad);  // beyond U+10FFFF
  EXPECT_EQ(EscapeXml("\xf4\x8f\xbf\xbf"), "\xf4\x8f\xbf\xbf");     // the last one
}

}  // namespace
}  // namespace replicator
