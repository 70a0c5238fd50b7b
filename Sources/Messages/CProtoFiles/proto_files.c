// SwiftPM wants a source of each target; what there is stands in the header.
#include "CProtoFiles.h"
